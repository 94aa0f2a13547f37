"""Tables of counts and sums: cells, rules, bounds and protection."""
