-- The ledger of privacy budgets. Randomized releases are not attacked; what they tell together is bounded by
-- what they have spent. An entry is written before any noise is drawn, and nothing here is ever changed or
-- deleted, but for the release that an entry was spent on.

create table budgets (
    id integer primary key,
    declared_at timestamp not null,
    declared_by text not null,
    source text not null check (source <> ''),
    unit text not null,
    epsilon double not null check (epsilon > 0 and isfinite(epsilon)),
    delta double not null check (delta between 0 and 1 and delta < 1),
    composition text not null check (composition in ('basic', 'smaller')),
    sqlanon_version text not null
);
comment on table budgets is
'The budgets that were declared. For a source and a unit the last one holds; the others tell what it was.';
comment on column budgets.id is 'Counted from 1.';
comment on column budgets.declared_at is 'When, in UTC.';
comment on column budgets.declared_by is 'By whom: user and machine.';
comment on column budgets.source is
'What the data is called here. It stays the same from night to night, whatever file it comes from.';
comment on column budgets.unit is
'The column that says whose a row is, in lower case; empty where each row is a person. What is spent on one
unit is not counted for another.';
comment on column budgets.epsilon is 'The most that all releases of the source may cost together.';
comment on column budgets.delta is 'Likewise.';
comment on column budgets.composition is
'How costs add up. basic: their sums. smaller: these, or zero-concentrated differential privacy at this
delta, whichever has the smaller epsilon; for queries whose costs are not chosen by earlier answers.';
comment on column budgets.sqlanon_version is 'What has made the entry.';

create table spending (
    id bigint primary key,
    spent_at timestamp not null,
    spent_by text not null,
    source text not null,
    unit text not null,
    mechanism text not null,
    query text not null,
    epsilon double not null check (epsilon >= 0 and not isnan(epsilon)),
    delta double not null check (delta between 0 and 1),
    rho double check (rho >= 0 and not isnan(rho)),
    rho_delta double check (rho_delta between 0 and 1),
    parts integer check (parts > 0),
    part integer check (part between 1 and parts),
    release_id integer,
    sqlanon_version text not null,
    check ((parts is null) = (part is null))
);
comment on table spending is
'What was spent. An entry is here before noise is drawn. So it may be that nothing came of one: it counts.';
comment on column spending.id is 'Counted from 1.';
comment on column spending.spent_at is 'When, in UTC.';
comment on column spending.spent_by is 'By whom: user and machine.';
comment on column spending.source is 'As in budgets.';
comment on column spending.unit is 'As in budgets.';
comment on column spending.mechanism is 'How noise is drawn.';
comment on column spending.query is 'What is released, in words.';
comment on column spending.epsilon is
'Of differential privacy, for neighbours that differ by all rows of a unit; infinity where rho alone is
bounded.';
comment on column spending.delta is 'Likewise.';
comment on column spending.rho is
'Of zero-concentrated differential privacy; NULL: what follows from epsilon, which is its square / 2.';
comment on column spending.rho_delta is 'But for which probability rho holds; NULL: delta.';
comment on column spending.parts is
'Into how many parts the units were divided, by a hash of each unit; NULL: the query was about all of them.';
comment on column spending.part is 'Which part the query was about, from 1. A unit is in one of them only.';
comment on column spending.release_id is 'The release that came of it; NULL: none, or none in the register.';
comment on column spending.sqlanon_version is 'What has made the entry.';

create view spent_at_most as
select source, unit, sum(epsilon) as epsilon, sum(delta) as delta,
       sum(coalesce(rho, epsilon * epsilon / 2)) as rho,
       sum(if(rho is null, delta, coalesce(rho_delta, delta))) as rho_delta
from spending group by all;
comment on view spent_at_most is
'What was spent on each source and unit if all queries were about all units: never less than spent has.';

-- A unit is in one part of each partition: the dearest part counts.
create view spent as
with part_total as (
    select source, unit, parts, part, count(*) as entries, max(spent_at) as last_spent_at,
           sum(epsilon) as epsilon, sum(delta) as delta, sum(coalesce(rho, epsilon * epsilon / 2)) as rho,
           sum(if(rho is null, delta, coalesce(rho_delta, delta))) as rho_delta
    from spending group by all
),
dearest_part as (
    select source, unit, parts, sum(entries) as entries, max(last_spent_at) as last_spent_at,
           max(epsilon) as epsilon, max(delta) as delta, max(rho) as rho,
           max(rho_delta) as rho_delta
    from part_total group by all
)
select source, unit, sum(entries)::bigint as entries, max(last_spent_at) as last_spent_at,
       sum(epsilon) as epsilon, sum(delta) as delta, sum(rho) as rho, sum(rho_delta) as rho_delta
from dearest_part group by all;
comment on view spent is
'What was spent on each source and unit, with a budget or without: sums of epsilon, delta, rho and
rho_delta. Of queries about parts of the units the dearest part counts.';

create view budgets_now as
with budget as (from budgets qualify id = max(id) over (partition by source, unit))
select budget.source, budget.unit, budget.epsilon, budget.delta, budget.composition,
       coalesce(spent.entries, 0) as entries, spent.last_spent_at,
       coalesce(spent.epsilon, 0) as spent_epsilon, coalesce(spent.delta, 0) as spent_delta,
       coalesce(spent.rho, 0) as spent_rho, coalesce(spent.rho_delta, 0) as spent_rho_delta,
       greatest(budget.epsilon - coalesce(spent.epsilon, 0), 0) as left_epsilon,
       greatest(budget.delta - coalesce(spent.delta, 0), 0) as left_delta
from budget left join spent on spent.source = budget.source and spent.unit = budget.unit
order by budget.source, budget.unit;
comment on view budgets_now is
'The budgets that hold, with what is spent and left by basic composition. With sqlanon attached,
sqlanon.composed_privacy and sqlanon.zcdp_epsilon tell what rho makes of it; sqlanon budget show does.';
