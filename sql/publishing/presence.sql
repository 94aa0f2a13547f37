-- Presence: in which releases may somebody be?
--
-- A register does not know who was in a release. Whoever was is in one of its classes, and their value is one
-- of that class's. So whoever has a class with their own values may have been in it; nobody else was, as long
-- as values do not change. To suppose that all of these were there errs towards danger: an adversary who puts
-- just these releases together never loses the true value.

-- The targets that may be in a release: the column id. answer: of intersection_attack on it alone, with
-- truth.
create or replace macro sqlanon._possibly_present(answer, id) as table
    from query(sqlanon._fill($$
        select {id} from {answer} group by {id} having bool_and(coalesce(truth_is_candidate, false))
    $$, map {'id': sqlanon._quote(id), 'answer': sqlanon._relation(answer)}));
