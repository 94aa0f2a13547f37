-- Verdicts on composition: is what several releases tell together tolerated? The intersection attack of
-- Ganta, Kasiviswanathan and Smith (2008) on everybody, with a bound per measure, as rows that say holds,
-- fails or not known.
--
-- A table changes from night to night: people leave and come. presence says who is in which release, so that
-- nobody has to be located where they are not. Without it everybody has to be in every release.

-- BOUNDS

-- The measures of breaches of which more is worse, without those of a level.
create or replace macro sqlanon._bounded_measures() as
    ['vulnerable', 'average_drop', 'release_guess_expected', 'weighted_guess_expected'];

-- A measure of a level, as kind ('pvp' or 'sure') and level, by its id; NULL for any other.
create or replace macro sqlanon._measure_of_level(id) as
    sqlanon._let(regexp_extract(id, '^(pvp|sure)_(\d+)(?:_(\d+))?(_release|_unsuppressed)?$',
                                ['kind', 'whole', 'fraction', 'of']), lambda parts:
        sqlanon._let(try_cast(parts['whole'] || '.' || parts['fraction'] || '0' as double), lambda level:
            case when level > 0 and level <= 100
                      and sqlanon._level_id(parts['kind'], level) || parts['of'] = id
                      and (parts['kind'] = 'sure' or parts['of'] = '')
                 then {'kind': parts['kind'], 'level': level} end));

-- The levels that bounds are about, as breaches takes them, with one more, so that there is one.
create or replace macro sqlanon._levels_of_bounds(tolerated, wanted) as
    list_distinct(list_append(
        list_transform(
            list_filter(
                list_transform(map_keys(tolerated::map(text, double)), lambda id:
                    sqlanon._measure_of_level(id)),
                lambda measure: measure['kind'] = wanted),
            lambda measure: measure['level']),
        100::double));

-- The nearest measure to an id that is none. Its level stays, if it is one.
create or replace macro sqlanon._nearest_measure(id) as
    sqlanon._let(regexp_extract(id, '\d+(_\d+)?'), lambda digits:
        sqlanon._let(if(sqlanon._measure_of_level('pvp_' || digits) is null, '90', digits), lambda level:
            list_sort(list_transform(
                sqlanon._bounded_measures()
                    || ['pvp_' || level, 'sure_' || level, 'sure_' || level || '_release',
                        'sure_' || level || '_unsuppressed'],
                lambda measure: {
                    'distance': -jaro_winkler_similarity(measure, lower(id)),
                    'measure': measure}))[1]['measure']));

-- A query of one row, or an error for bounds that say nothing, or not what they seem to say.
create or replace macro sqlanon._bounds_checked(tolerated) as
    sqlanon._let(map_entries(tolerated::map(text, double)), lambda bounds:
        sqlanon._let({
            'unknown': list_filter(bounds, lambda bound:
                not list_contains(sqlanon._bounded_measures(), bound['key'])
                and sqlanon._measure_of_level(bound['key']) is null)[1]['key'],
            'unbounded': list_filter(bounds, lambda bound:
                not coalesce(bound['value'] >= 0 and isfinite(bound['value']), false))[1]}, lambda found:
            case when coalesce(len(bounds), 0) = 0
                 then error('tolerated names no measure: give the most of one, e.g. map {''pvp_100'': 0}')
                 when found['unknown'] is not null
                 then error('tolerated names ' || found['unknown'] || ', which is no measure that has a '
                            || 'bound; did you mean ' || sqlanon._nearest_measure(found['unknown'])
                            || '? There are pvp_<level>, sure_<level>, sure_<level>_release, '
                            || 'sure_<level>_unsuppressed, '
                            || array_to_string(sqlanon._bounded_measures(), ', '))
                 when found['unbounded'] is not null
                 then error('tolerated has '
                            || coalesce(sqlanon._number_text(found['unbounded']['value']), 'NULL') || ' for '
                            || found['unbounded']['key'] || ': it must be a number of at least 0')
                 else 'select true as checked' end));

-- The bounds: place, id, tolerated.
create or replace macro sqlanon._bounds(given) as table
    select place, bound['key'] as id, bound['value'] as tolerated
    from (
        select unnest(map_entries(given::map(text, double))) as bound,
               generate_subscripts(map_entries(given::map(text, double)), 1) as place
    );

-- THE PEOPLE

-- The targets who are in a release at all: whoever is in none is not to be located anywhere.
create or replace macro sqlanon._targets_present(targets, presence) as table
    from query(
        'from ' || sqlanon._relation(targets)
        || if(presence is null, '',
              ' where ' || sqlanon._each(presence, 'sqlanon._says({c}, ''presence'')', ' or ')));

-- VERDICTS

-- So many of all, of a percentage of them above 0.
create or replace macro sqlanon._that_many_people(share, targets) as
    greatest(1, round(targets * share / 100)::bigint) || ' of ' || targets::bigint || ' people';

-- Why less may be found than there is: sensitive, asked (people), lost and contradictory (percent of them),
-- unread (percent of rows), shared (values), unfinished (percent), and blind, which says all of this.
-- measured: as in breaches. (Whoever is not located is left without a value, too.)
create or replace macro sqlanon._blind_spots(measured) as table
    with known as (
        select sensitive, max(value) filter (id = 'targets') as asked,
               100 - max(value) filter (id = 'located_in_all') as lost,
               max(value) filter (id = 'unread_rows') as unread,
               max(value) filter (id = 'contradictions') as contradictory,
               max(value) filter (id = 'fewest_shared_values') as shared,
               max(value) filter (id = 'unfinished') as unfinished
        from query_table(measured) group by sensitive
    )
    select *, nullif(concat_ws('; ',
        case when asked = 0 then 'there is nobody to attack' end,
        case when lost > 0
             then sqlanon._that_many_people(lost, asked) || ' are not located in every release that they '
                  || 'are in (presence says in which)' end,
        case when contradictory > lost + 1e-9
             then sqlanon._that_many_people(contradictory - lost, asked) || ' are left without a value: '
                  || 'the releases contradict each other' end,
        case when unread > 0
             then round(unread, 4) || ' % of the rows of a release have labels that could not be read '
                  || '(unread_labels lists them)' end,
        case when shared = 0
             then 'two releases share no sensitive value (unshared_values lists what they do not share)' end,
        case when unfinished > 0
             then 'exact cover was not finished for ' || sqlanon._that_many_people(unfinished, asked) end
    ), '') as blind
    from known;

-- Is a measure, by its id, a share of those who are attacked?
create or replace macro sqlanon._is_share_of_attacked(id) as
    id = 'vulnerable' or sqlanon._measure_of_level(id) is not null;

-- The measures that have bounds, with verdicts: the columns of composition_verdicts. bounds: as in _bounds.
create or replace macro sqlanon._verdicts_of_bounds(measured, bounds, sampled) as table
    with subject as (
        select sensitive, max(value) filter (id = 'targets') as targets
        from query_table(measured) group by sensitive
    ),
    bounded as (
        select subject.sensitive, bound.place, bound.id, bound.tolerated, found.measure, found.value,
               found.unit, if(sampled, coalesce(found.high, found.value), found.value) as sample_end,
               if(sampled, coalesce(above.high, above.value), above.value) as upper,
               greatest(sample_end, upper) as worst, targets, blind
        from subject
        cross join query_table(bounds) as bound
        left join query_table(measured) as found
          on found.sensitive = subject.sensitive and found.id = bound.id
        left join query_table(measured) as above
          on above.sensitive = subject.sensitive and above.id = sqlanon._upper_of_measure(bound.id)
        left join sqlanon._blind_spots(measured) as limited on limited.sensitive = subject.sensitive
    )
    select sensitive, id, measure, value, unit, worst,
           case when sqlanon._is_share_of_attacked(id)
                then round(value * targets / 100)::bigint end as people,
           tolerated, sqlanon._verdict_on_bound(value, worst, tolerated, blind) as verdict,
           nullif(concat_ws(
               '; ', blind,
               case when value is null then 'nothing was measured' end,
               case when value <= tolerated + 1e-9 and sample_end > tolerated + 1e-9
                    then 'of all it may be up to ' || round(sample_end, 3) || ' ' || unit
                         || ', by this sample' end,
               sqlanon._what_errors_leave_open(id, value, upper, unit, tolerated)
           ), '') as reason
    from bounded
    order by sensitive, place;

create or replace macro sqlanon.composition_verdicts(
    releases, targets, id, qi, sensitive, tolerated := map{'pvp_100':0}, hierarchies := null,
    nearest := false, presence := null, exact_cover := false, unit := null, weight := null, formats := null,
    negations := null, priors := null, priors_by := null, unknown := null, sampled := false,
    unchanged := null, values_may_change := null) as table
    with _sqlanon_checked as (from query(sqlanon._bounds_checked(tolerated))),
    _sqlanon_bound as (from sqlanon._bounds(tolerated) where (select checked from _sqlanon_checked)),
    _sqlanon_present as (from sqlanon._targets_present(targets, presence)),
    _sqlanon_measured as materialized (
        from sqlanon.breaches(
            releases, '_sqlanon_present', id, qi, sensitive, hierarchies := hierarchies, nearest := nearest,
            presence := presence, exact_cover := exact_cover, unit := unit, weight := weight,
            formats := formats, negations := negations, priors := priors, priors_by := priors_by,
            unknown := unknown, unchanged := unchanged, values_may_change := values_may_change,
            levels := sqlanon._levels_of_bounds(tolerated, 'pvp'),
            sure := sqlanon._levels_of_bounds(tolerated, 'sure'))
    )
    from sqlanon._verdicts_of_bounds('_sqlanon_measured', '_sqlanon_bound', sampled);

comment on macro table sqlanon.composition_verdicts is $$
Attacks several releases together and compares the result with your bounds: one row per sensitive column and
bound, with the verdict holds, fails or not known.

Parameters:
- releases, targets, id, qi, sensitive: as in intersection_attack
- tolerated (map of numbers; default map{'pvp_100':0}): the largest value that you accept for each measure of
  breaches, by its id: pvp_<level>, sure_<level>, sure_<level>_release, sure_<level>_unsuppressed, vulnerable,
  average_drop, release_guess_expected or weighted_guess_expected. With map {'pvp_100': 0}, nobody may be left
  with one possible value.
- hierarchies, nearest, presence, exact_cover, unit, weight: as in intersection_attack
- formats: as in locate
- negations, priors, priors_by: as in intersection_attack
- unknown: as in locate
- sampled (boolean; default false): true: targets are a random sample of the people, so the upper end of the
  95 % interval is compared with the bound.
- unchanged, values_may_change: as in intersection_attack

Result:
- sensitive (text): the name of the sensitive column.
- id (text): the measure that has a bound.
- measure (text): the title of the measure.
- value (number): its value in the attack on all releases together.
- unit (text): the unit of the value: %, values or percentage points.
- worst (number): the number that is compared with the bound: the value; for a sample the upper end of its
  interval; for measures of probabilities the value by their upper ends (sure_<level>_upper,
  weighted_guess_upper of breaches).
- people (integer): the value as a number of attacked people; NULL if it is not a share of them.
- tolerated (number): the bound.
- verdict (text): holds, fails or not known.
- reason (text): why the attack may have found too little; NULL: nothing is known to be missing.

Errors: as in intersection_attack; a bound that is below 0, NULL, or for an unknown measure (found before the
attack starts); no bound at all.

Notes: a release may be published if all rows say holds. A value above its bound fails, even if not everything
was checked. A value within its bound is not known if worst is not known, if somebody was not found in a
release that they are in, a label could not be read, somebody is left without a possible value, two releases
have no value in common, or exact cover was not finished. People who are in no release according to presence
are not attacked. Without presence everybody must be in all releases: give it if people join and leave.

Source: Ganta, Kasiviswanathan and Smith 2008, sec. 2.1.

Example:
from sqlanon.composition_verdicts(['east', 'west'], targets := 'voters', id := 'name', qi := ['age', 'zip'],
                                  sensitive := 'disease', tolerated := map {'pvp_100': 0, 'sure_90': 5});
$$;
