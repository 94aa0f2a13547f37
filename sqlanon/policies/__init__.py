"""Policies: what of a table may leave, in which form, and under which requirements. `load` reads one."""

from sqlanon.policies.policy import Policy, load

__all__ = ["Policy", "load"]
