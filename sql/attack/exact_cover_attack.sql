-- The exact cover attack: the intersection attack by somebody who knows everybody in the releases, not the
-- target alone. Each of them has a row of their own, so what some must have the others cannot have: of a
-- class with flu, gout and cancer, in which two are known to have flu or gout, the third has cancer. It finds
-- who has left and who has come: Monday {flu, gout, cancer}, Tuesday {flu, gout} without the third.

-- The answer in the form of attacks, from _attacked. A value that is NULL is learned like any other.
create or replace macro sqlanon._told_of_exact_cover(attacked, id, unit, truth) as table
    from query(sqlanon._fill(
        if(unit is null, $$
            select who as {id}, sensitive,
                   if(len(candidates) > 0, coalesce(candidates[1], 'NULL'), null) as learned,
                   probabilities[1] as confidence, marginal.guess_share as baseline,
                   {is_right}, null::boolean as is_control, candidates, upper as upper_end, unfinished,
                   not_asked
            from {attacked}
        $$, $$
            with certain_of_person as (
                select sensitive, person, bool_or(meant is not distinct from certain[1]) as has_it
                from {attacked} where certain is not null and is_told group by sensitive, person
            )
            select who as {id}, attacked.person as {unit}, attacked.sensitive,
                   case when certain is not null then coalesce(certain[1], 'NULL')
                        when len(candidates) > 0 then coalesce(candidates[1], 'NULL') end as learned,
                   if(certain is null, probabilities[1], 1) as confidence,
                   marginal.guess_share as baseline,
                   {is_right}, null::boolean as is_control, candidates,
                   if(certain is null, upper, 1) as upper_end, unfinished, not_asked
            from {attacked} as attacked left join certain_of_person
              on certain_of_person.sensitive = attacked.sensitive
             and certain_of_person.person is not distinct from attacked.person
        $$), map {
            'id': sqlanon._quote(id), 'unit': sqlanon._quote(unit),
            'is_right':
                case when truth is null then 'null::boolean'
                     else 'case ' || if(unit is null, '', 'when certain is not null then has_it ')
                          || 'when is_told then candidates[1] is not distinct from meant end'
                end || ' as is_right'}));

-- The answer where the intersection attack was made, and exact cover takes nothing away: of one release (see
-- _refined). attacked_before: a relation as in _attacked.
create or replace macro sqlanon._exact_cover_of_attacked(
    attacked_before, id, truth := null, unit := null) as table
    from sqlanon._told_of_exact_cover(attacked_before, id, unit, truth);

-- The attack. located_before: where everybody is, if that is known, as in _attacked.
create or replace macro sqlanon._exact_cover_of_located(
    releases, targets, id, qi, sensitive, located_before, hierarchies := null, truth := null,
    nearest := false, presence := null, unit := null, formats := null, unknown := null, unchanged := null,
    values_may_change := null, distinct_spellings := null) as table
    with _sqlanon_attacked as materialized (from {sqlanon._attacked: exact_cover := true, measured := false})
    from sqlanon._told_of_exact_cover('_sqlanon_attacked', id, unit, truth);

create or replace macro sqlanon.exact_cover(
    releases, targets, id, qi, sensitive, hierarchies := null, truth := null, nearest := false,
    presence := null, unit := null, formats := null, unknown := null, unchanged := null,
    values_may_change := null, distinct_spellings := null) as table
    from {sqlanon._exact_cover_of_located: located_before := null};

comment on macro table sqlanon.exact_cover is $$
Attacks several releases with the knowledge of who is in each of them: one row per target and sensitive
column. The candidates are those of intersection_attack, without values that other people of the class must
have.

Parameters:
- releases, targets, id, qi, sensitive, hierarchies: as in intersection_attack
- truth, nearest, presence, unit: as in intersection_attack
- formats, unknown: as in locate
- unchanged, values_may_change, distinct_spellings: as in intersection_attack

Result:
- <id> (unchanged): the target.
- <unit> (unchanged): with unit: the person of the row.
- sensitive (text): the name of the sensitive column.
- learned (text): the most probable candidate (a NULL as the text NULL); NULL: none is left. With unit: if
  there is one, a value that one of the person's rows must have because of their number.
- confidence (number): its probability, as in intersection_attack; 1 if it is the only candidate, or a value
  that one of the person's rows must have.
- baseline (number): the share of the most frequent value of all rows.
- is_right (boolean): with truth: is it the true value (of one of the unit's rows)?
- is_control (boolean): NULL: controls are in no class.
- candidates (list of texts): the candidates that are left, the most probable first.
- upper_end (number): how probable a value of the target may be at most, as upper_ends of intersection_attack;
  1 for a target with not_asked who may be certain. With truth, that is nobody who can exchange the value with
  others so that no class changes.
- unfinished (boolean): true if the rules could remove more candidates, as in intersection_attack.
- not_asked (boolean): true if several classes together may rule out more, and no program was asked: in SQL
  alone, where people and classes that hang together are too many or contradict each other, or where time was
  over.

Errors: as in intersection_attack.

Notes: the result is right if all targets are in the classes where they were found. So the targets should be
everybody in the releases. If a class has fewer rows than targets, it is not known who is in it, and the
attack removes nothing there. Removed candidates are impossible. In Python, with the extra tables, programs
ask whether the remaining ones are possible, given all classes of all releases that people share, directly or
through others: those who are left without not_asked have no candidate too many. Whoever several classes of a
release cover has a row in one of them, as far as the rows go. In SQL alone, single classes are counted, those
of two releases, and all that people share less what others of them have.

Source: Hall 1935; own derivation (sql/attack/exact_cover.sql, sql/attack/connected_people.sql,
sql/attack/two_worlds.sql).

Example:
from sqlanon.exact_cover(['east', 'west'], targets := 'voters', id := 'name', qi := ['age', 'zip'],
                         sensitive := 'disease');
$$;
