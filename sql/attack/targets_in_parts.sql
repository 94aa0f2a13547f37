-- Targets in parts: targets stay elsewhere (in Spark), and each part of them is attacked by itself. Nearly
-- all that an attack tells of somebody follows from the releases and from what is known of that person. A few
-- numbers depend on all targets: which releases say the same of everybody, how many people releases have in
-- common, how many targets are in the same classes (sql/attack/weights.sql), and how many people classes
-- cover (sql/attack/probable_classes.sql). A first look at each part counts what these numbers are made of,
-- which adds up.

-- On how many people classes agree, of some of the targets: as in _agreement. Parameters are as in _attack;
-- distinct_releases, crowds and people_together: as in _distinct_releases, _crowds and _people_together, over
-- all targets (NULL: of these).
create or replace macro sqlanon._agreement_of_targets(
    class_values, located_targets, compared_values, combinations, releases, shown_by_classes,
    distinct_releases, crowds, people_together, with_boxes) as table
    with distinct_value as (
        from query_table(compared_values) where release in (select first from query_table(distinct_releases))
    ),
    domain as materialized (from sqlanon._sensitive_domain('distinct_value')),
    histogram as materialized (from sqlanon._class_histograms(class_values, compared_values, 'domain')),
    class_size as materialized (from sqlanon._class_sizes(class_values)),
    covered as materialized (from sqlanon._covers_of_targets(located_targets, combinations, releases)),
    crowd as materialized (
        from query(coalesce('from ' || crowds, {call _crowds: covers_of_targets := 'covered'}))
    ),
    factor as materialized (
        from sqlanon._factors_of_either(
            'crowd', 'covered', 'class_size', shown_by_classes, false, with_boxes)
    ),
    cover as materialized (from sqlanon._covers_with_factors('covered', 'factor')),
    cover_value as materialized (from sqlanon._cover_values('cover', 'histogram')),
    combined as (from sqlanon._combined_covers('covered', 'cover')),
    fate as materialized (from sqlanon._fates('combined', combinations)),
    part as materialized (
        select fate, people, attribute, part.cover, release
        from (select fate, people, unnest(covers) as cover from fate) as part
        join cover on cover.cover = part.cover
        cross join (select distinct attribute from domain)
    ),
    telling as materialized (
        from sqlanon._telling_covers('part', 'cover_value', distinct_releases, 'domain')
    ),
    placed as materialized (from sqlanon._placed_fates('fate', 'cover', 'crowd', 'class_size')),
    known_in_all as (from sqlanon._known_in_all('placed', people_together)),
    told_size as (from sqlanon._fate_sizes('telling')),
    fate_size as materialized (from sqlanon._sizes_and_known('told_size', 'known_in_all')),
    fate_value as materialized (from sqlanon._fate_values('telling', 'cover_value')),
    correlation as materialized (
        from sqlanon._correlations('histogram', 'class_size', distinct_releases, 'domain')
    )
    from sqlanon._agreement('fate_size', 'fate_value', 'correlation');

-- Where targets are, summed up by release: number (of the release), n, total. What is the same for two
-- releases is, but for a coincidence of hashes, said of the same people. combinations: as in
-- _target_combinations.
create or replace macro sqlanon._located_sums(located_targets, combinations, qi) as table
    from query(sqlanon._fill($$
        select release as number, count(*) as n,
               sum((hash(class_id, {each qi: v{i}}) >> 1)::hugeint)::decimal(38, 9) as total
        from {located_targets} join {combinations} using (target) group by release
    $$));

-- How many people are located in all releases that they are in: people.
create or replace macro sqlanon._located_everywhere(located_targets, combinations, releases) as table
    with covered as (from sqlanon._covers_of_targets(located_targets, combinations, releases)),
    everywhere as (
        select target, knowledge from covered where classes is not null
        group by target, knowledge having min(len(classes)) > 0
    )
    select coalesce(sum(people), 0)::bigint as people
    from everywhere join query_table(combinations) using (target, knowledge);

-- The look at a part: subject (located: by release; covered: by release and classes; together: by place;
-- agreement: by attribute, told_by, trial and compared; or everywhere), number (of the release or attribute),
-- key (the classes, the place, or told_by, trial and compared), n, total; and of an agreement one, other,
-- mixed, mixed_squares and slope.
create or replace macro sqlanon._part_looked_at(
    class_values, located_targets, compared_values, combinations, target_combinations, shown_by_classes, qi,
    releases, distinct_releases, crowds, people_together, with_boxes) as table
    with agreement as materialized (from {sqlanon._agreement_of_targets}),
    covered as (from sqlanon._covers_of_targets(located_targets, combinations, releases))
    select 'located' as subject, number::integer as number, null::bigint[] as key, n, total,
           null::decimal(38, 12) as one, null::decimal(38, 12) as other, null::decimal(38, 12) as mixed,
           null::decimal(38, 12) as mixed_squares, null::decimal(38, 12) as slope
    from sqlanon._located_sums(located_targets, target_combinations, qi)
    union all select 'agreement', attribute, [told_by::bigint, trial::bigint, compared::bigint], null, null,
                     one, other, mixed, mixed_squares, slope
              from agreement
    union all select 'everywhere', null, null, people, null, null, null, null, null, null
              from sqlanon._located_everywhere(located_targets, combinations, releases)
    union all select 'covered', release::integer, classes, people, null, null, null, null, null,
                     null
              from sqlanon._crowds('covered', combinations)
    union all select 'together', null, [place], people, null, null, null, null, null, null
              from sqlanon._people_together('covered', combinations);

-- What looks at all parts tell together. Which releases say the same of everybody: as in _distinct_releases.
-- told_alike: the same of their classes alone.
create or replace macro sqlanon._distinct_by_parts(looks, told_alike) as table
    with located as (
        select number as release, sum(n) as n, sum(total) as total
        from query_table(looks) where subject = 'located' group by number
    )
    select release, min(release) over (partition by first, n, total) as first
    from query_table(told_alike) left join located using (release);

-- As of _agreement.
create or replace macro sqlanon._agreement_by_parts(looks) as table
    select number as attribute, key[1]::integer as told_by, key[2]::integer as trial,
           key[3]::integer as compared, sum(one) as one, sum(other) as other, sum(mixed) as mixed,
           sum(mixed_squares) as mixed_squares, sum(slope) as slope
    from query_table(looks) where subject = 'agreement' group by number, key;

-- As of _crowds.
create or replace macro sqlanon._crowds_by_parts(looks) as table
    select number as release, key as classes, sum(n)::bigint as people
    from query_table(looks) where subject = 'covered' group by number, key;

-- As of _people_together, of places with several people.
create or replace macro sqlanon._together_by_parts(looks) as table
    select key[1] as place, sum(n)::bigint as people
    from query_table(looks) where subject = 'together' group by key having sum(n) > 1;
