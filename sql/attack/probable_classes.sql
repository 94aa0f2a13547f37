-- Probable classes: in which class somebody's row is, where several cover them: classes overlap, or rows are
-- suppressed, and cover everybody. [own derivation]
--
-- Of the N people whom a class covers and no narrower one does, as many are in it as it has rows, and the
-- others are in wider ones. All N are alike, so each of them is in it with probability rows / N. That is
-- exact where the targets are all people of the release, and so all N are counted.
--
-- Otherwise N is estimated. If the people in wider classes are spread evenly, each row of the narrower ones
-- stands for 1 + s people: s is the rows of wider classes per row of narrower ones. This estimate moves
-- towards the number of targets that are counted, as the targets become all people: by the gain of the best
-- linear estimate, if those in wider classes are a Poisson number, times the share of the people who are
-- targets (of a single target no count can be taken).
--
-- Somebody who is not in the narrowest class is in one of the wider ones, in proportion to the rows that each
-- of these has left per person who comes. (With more than two tiers of classes that is an approximation: what
-- the second leaves to the third is not counted once more.)
--
-- Where classes cross, and none is within the others, somebody is in each as likely as it has rows per value
-- that it stands for: the rows of a narrow box are nearer. Two steps fit that to the sizes of the classes, as
-- iterative proportional fitting does, as far as all people are targets.
-- Nothing is impossible, as targets may be others than those in the release: a probability is at least about
-- a millionth where classes are nested.
--
-- Who knows besides that a target's row was not suppressed (as the target tells, or because few are) leaves
-- out classes that show nothing, if there are others that cover the target. Other people may be in them all
-- the same, so that counts stay what they are.

-- How many people have the same covers in a release: release, classes (sorted), people. covers_of_targets: as
-- of _covers_of_targets.
create or replace macro sqlanon._crowds(covers_of_targets, combinations) as table
    select release, classes, sum(people)::bigint as people
    from query_table(covers_of_targets) join query_table(combinations) using (target, knowledge)
    where len(classes) > 0 group by release, classes;

-- What classes show in each column: release, class_id, labels.
create or replace macro sqlanon._shown_by_classes(release_classes, qi) as table
    from query(sqlanon._fill($$
        select release, class_id, [{each qi: l{i}}]::varchar[] as labels from {classes}
    $$, map {'classes': release_classes}));

-- Does a class show the same as another one, but for columns in which it shows nothing?
create or replace macro sqlanon._shows_less(labels, other_labels) as
    coalesce(
        list_bool_and(list_transform(labels, lambda label, i:
            label = '*' or label is not distinct from other_labels[i])), false);

-- Classes that show nothing: release, class_id.
create or replace macro sqlanon._shows_nothing(labels) as
    coalesce(list_bool_and(list_transform(labels, lambda label: coalesce(label = '*', false))), false);
create or replace macro sqlanon._blank_classes(shown_by_classes) as table
    select release, class_id from query_table(shown_by_classes) where sqlanon._shows_nothing(labels);

-- How many rows are in such classes, as a share of a release, in the one that has most: blank. classes: as of
-- _classes_of_cells.
create or replace macro sqlanon._blank_share(classes, shown_by_classes) as table
    with of_release as (
        select release, coalesce(sum(size) filter (is_blank), 0) / sum(size) as share
        from query_table(classes)
        left join (select *, true as is_blank from sqlanon._blank_classes(shown_by_classes))
            using (release, class_id)
        group by release
    )
    select coalesce(max(share), 0)::double as blank from of_release;

-- The covers of targets who are known not to be suppressed, where that tells something: as of
-- _covers_of_targets, but for target, which is that of the person with a minus.
create or replace macro sqlanon._covers_of_unsuppressed(covers_of_targets, shown_by_classes) as table
    with blank as (
        select release, list(class_id) as blanks
        from sqlanon._blank_classes(shown_by_classes) group by release
    ),
    told as (
        select release, target, knowledge, classes,
               list_filter(classes, lambda class: not list_contains(coalesce(blanks, []), class)) as others
        from query_table(covers_of_targets) left join blank using (release)
    ),
    concerned as (
        select distinct target, knowledge from told where len(others) > 0 and len(others) < len(classes)
    )
    select release, -target as target, knowledge, if(len(others) > 0, others, classes) as classes
    from told semi join concerned using (target, knowledge);

-- Their factors, as of _factors_of_classes: those of the classes that are left.
create or replace macro sqlanon._factors_of_unsuppressed(
    factors_of_classes, histogram, shown_by_classes) as table
    with class as (
        select release, class_id, sum(n)::double as size
        from query_table(histogram) where attribute = 1 group by release, class_id
    ),
    member as (
        select release, classes as all_classes, unnest(classes) as class_id, unnest(factors) as factor
        from query_table(factors_of_classes)
    ),
    listed as (
        select release, list(class_id order by class_id) as classes, list(size order by class_id) as sizes,
               list(factor * size order by class_id) as chances, count(*) as n
        from member join class using (release, class_id)
        anti join sqlanon._blank_classes(shown_by_classes) using (release, class_id)
        group by release, all_classes having n > 1 and n < any_value(len(all_classes))
    ),
    probable as (
        select release, classes, sizes,
               list_transform(chances, lambda chance: chance / list_sum(chances)) as probabilities
        from listed
    )
    select release, classes, sqlanon._factors(probabilities, sizes) as factors from probable;

-- Classes by how many people they cover: release, class_id, size (rows), labels, covered (people), place (the
-- narrowest first), total (the rows of the release), known (its people among the targets). Releases in which
-- nobody is in several classes have no rows.
create or replace macro sqlanon._classes_by_width(crowds, histogram, shown_by_classes) as table
    with known as (
        select release, sum(people)::double as known
        from query_table(crowds) group by release having max(len(classes)) > 1
    ),
    class as (
        select release, class_id, sum(n)::double as size
        from query_table(histogram) semi join known using (release)
        where attribute = 1 group by release, class_id
    ),
    covering as (
        select release, class_id, sum(people)::double as covered
        from (select release, unnest(classes) as class_id, people
              from query_table(crowds) semi join known using (release))
        group by release, class_id
    )
    select release, class_id, size, labels, coalesce(covered, 0) as covered, known,
           row_number() over (
               partition by release
               order by covered, len(list_filter(labels, lambda label: label = '*')), size, class_id
           ) as place,
           sum(size) over (partition by release) as total
    from class join known using (release)
    left join covering using (release, class_id)
    left join query_table(shown_by_classes) using (release, class_id);

-- The classes of crowds: release, classes, people, class_id, is_narrowest, is_nested (is the narrowest within
-- all others? Everybody whom it covers they cover, too, and the targets are all people or the labels say so).
create or replace macro sqlanon._classes_of_crowds(crowds, classes_by_width) as table
    with member as materialized (
        select release, classes, people, class_id, covered, labels, known >= total as is_known,
               place = min(place) over (partition by release, classes) as is_narrowest
        from (select release, classes, people, unnest(classes) as class_id from query_table(crowds))
        join query_table(classes_by_width) using (release, class_id)
    ),
    pair as (
        select release, one.class_id, other.class_id as other,
               sum(one.people) = any_value(one.covered)
               and (any_value(one.is_known)
                    or sqlanon._shows_less(any_value(other.labels), any_value(one.labels))) as is_within
        from member as one join member as other using (release, classes)
        where other.class_id <> one.class_id group by release, one.class_id, other.class_id
    ),
    nested as (
        select release, classes, bool_and(is_within) as is_nested
        from (select release, classes, class_id, unnest(classes) as other from member where is_narrowest)
        join pair using (release, class_id, other) group by release, classes
    )
    select release, classes, people, class_id, is_narrowest, coalesce(is_nested, true) as is_nested
    from member left join nested using (release, classes);

-- How many people, of all in the release, each target stands for whose narrowest class is the same, and how
-- many rows the class has for them: release, class_id, stands_for, room.
create or replace macro sqlanon._room_of_classes(classes_of_crowds, classes_by_width) as table
    with counted as (
        select release, class_id, coalesce(sum(people) filter (is_narrowest), 0)::double as n,
               coalesce(sum(people) filter (not is_narrowest), 0)::double as wider
        from query_table(classes_of_crowds) where is_nested group by release, class_id
    ),
    class as (
        select release, class_id, size, covered, total, known, least(1, known / total) as share,
               coalesce(n, 0) as n, coalesce(size * wider / covered, 0) as wider_rows
        from query_table(classes_by_width) left join counted using (release, class_id)
    ),
    spread as (
        select release, list_sum(list(wider_rows order by class_id)) as wider,
               coalesce(sum(size) filter (covered = 0), 0) as unseen
        from class group by release
    ),
    expected as (
        select release, class_id, size, total, known, share, n, wider_rows,
               unseen / (total - wider) as unseen,
               (size - wider_rows) * wider / (total - wider) as others,
               (size - wider_rows) * total / (total - wider) as people
        from class join spread using (release)
    )
    select release, class_id,
           case when n = 0 then null
                when share = 1 then 1
                else greatest(1, (people + (known - 1) / (total - 1) * others
                                      / (share * others + (1 - share) * people) * (n - share * people)) / n)
           end as stands_for,
           size * greatest(1, known / total) - (1 - share) * wider_rows * unseen as room
    from expected;

-- How many rows a class has for each of those who come, where the narrowest is within the others: release,
-- classes, class_id, chance (of the narrowest), density (of another one; NULL: it is the narrowest).
create or replace macro sqlanon._nested_chances(classes_of_crowds, room_of_classes) as table
    with member as (from query_table(classes_of_crowds) where is_nested),
    crowd as materialized (
        select release, classes, class_id as narrowest, people * stands_for as people
        from member join query_table(room_of_classes) using (release, class_id) where is_narrowest
    ),
    comer as (
        select release, narrowest as class_id,
               coalesce(list_sum(list(people order by classes) filter (len(classes) = 1)), 0) as alone,
               list_sum(list(people order by classes) filter (len(classes) > 1)) as others
        from crowd group by release, narrowest
    ),
    narrow as materialized (
        select release, class_id, greatest(0, room - coalesce(alone, 0)) as room,
               coalesce(others, 0) as comers,
               greatest(1e-6, least(1 - 1e-6, greatest(0, room - alone) / others)) as chance
        from query_table(room_of_classes) left join comer using (release, class_id)
    ),
    further as (
        select member.release, member.classes, member.class_id, chance,
               crowd.people * (1 - chance) as people
        from member join crowd using (release, classes)
        join narrow on narrow.release = crowd.release and narrow.class_id = narrowest
        where not is_narrowest
    ),
    leaving as (
        select release, class_id, list_sum(list(people order by classes)) as people
        from further group by release, class_id
    )
    select release, classes, class_id, further.chance,
           greatest(1e-6, (room - least(room, comers)) / leaving.people) as density
    from further join leaving using (release, class_id) join narrow using (release, class_id)
    union all
    select release, classes, class_id, chance, null
    from member join narrow using (release, class_id) where is_narrowest and len(classes) > 1;

-- How many values classes stand for, where classes cross: release, class_id, width (the product over
-- columns). An interval stands for the values within it that the release names in the column, as bounds or
-- by themselves.
create or replace macro sqlanon._widths_of_classes(classes_of_crowds, classes_by_width) as table
    with shown as (
        select release, class_id, 1000 * release + generate_subscripts(labels, 1) as d,
               unnest(labels) as label
        from query_table(classes_by_width)
        where release in (select release from query_table(classes_of_crowds) where not is_nested)
    ),
    label_of_column as (select distinct d, label from shown where label is not null),
    reading as materialized (from sqlanon._readings('label_of_column')),
    named as (
        select distinct d, unnest(case form when 'value' then [label] when 'interval' then [lo, hi]
                                            when 'set' then elements else [] end) as value
        from reading
    ),
    coded as materialized (
        select d, value, row_number() over (
                   partition by d
                   order by try_cast(value as double) nulls last,
                            try_cast(value as timestamp) nulls last, value
               ) - 1 as code
        from named where value is not null
    ),
    most as (select d, max(code) as most from coded group by d),
    width as (
        select reading.d, label,
               case form when 'interval'
                         then coalesce(upper_code.code, most) - coalesce(lower_code.code, 0) + 1
                         when 'set' then len(elements)
                         when 'any' then most + 1
                         when 'mask' then power(10, length(label) - length(replace(label, '*', '')))
                         else 1 end as width
        from reading left join most using (d)
        left join coded as lower_code on lower_code.d = reading.d and lower_code.value = lo
        left join coded as upper_code on upper_code.d = reading.d and upper_code.value = hi
    )
    select release, class_id,
           list_product(list(greatest(1, coalesce(width, 1))::double order by shown.d)) as width
    from shown left join width on width.d = shown.d and width.label = shown.label
    group by release, class_id;

-- How many people come to each class, where classes cross: release, class_id, comers (of the targets).
-- densities: release, class_id, density.
create or replace macro sqlanon._comers(classes_of_crowds, densities) as table
    with dense as (
        select member.release, classes, class_id, people, is_nested, is_narrowest, density
        from query_table(classes_of_crowds) as member
        join query_table(densities) using (release, class_id)
    ),
    total as (
        select release, classes, list_sum(list(density order by class_id)) as total
        from dense where not is_nested group by release, classes
    ),
    coming as (
        select release, class_id, classes,
               case when is_nested then if(is_narrowest, people, 0) else people * density / total end
                   as comers
        from dense left join total using (release, classes)
    )
    select release, class_id, list_sum(list(comers order by classes)) as comers
    from coming group by release, class_id;

-- A step of the proportions that fit the sizes of all classes: release, class_id, density. Those who are no
-- targets come to each class as it has rows for them.
create or replace macro sqlanon._fitted_densities(classes_of_crowds, classes_by_width, densities) as table
    select release, class_id,
           density * size / greatest(comers * least(1, total / known) + greatest(0, 1 - known / total) * size,
                                     1e-6) as density
    from query_table(densities)
    join query_table(classes_by_width) using (release, class_id)
    join sqlanon._comers(classes_of_crowds, densities) using (release, class_id);

-- How many rows a class has at the place of somebody, where classes cross: release, class_id, density. As if
-- rows were spread evenly over the values that the class stands for; those of classes that show nothing over
-- all people. Everybody has one row on average.
create or replace macro sqlanon._first_densities(classes_of_crowds, classes_by_width) as table
    with class as materialized (
        select release, class_id, size, total, size / width as rows_per_value,
               sqlanon._shows_nothing(labels) as is_blank
        from query_table(classes_by_width)
        join sqlanon._widths_of_classes(classes_of_crowds, classes_by_width) using (release, class_id)
    ),
    crowd as (
        select release, classes, any_value(people) as people,
               list_sum(list(rows_per_value order by class_id) filter (not is_blank)) as found
        from query_table(classes_of_crowds) join class using (release, class_id)
        where not is_nested group by release, classes
    ),
    average as (
        select release, list_sum(list(people * found order by classes)) / sum(people) as average
        from crowd group by release
    ),
    blank as (
        select release, coalesce(sum(size) filter (is_blank), 0) / any_value(total) as blank
        from class group by release
    )
    select release, class_id,
           case when is_blank then size / total else (1 - blank) * rows_per_value / average end as density
    from class join average using (release) join blank using (release);

-- How many rows a class has for each of those who come, where classes cross, after two steps.
create or replace macro sqlanon._crossing_chances(classes_of_crowds, classes_by_width) as table
    with first_density as materialized (
        from sqlanon._first_densities(classes_of_crowds, classes_by_width)
    ),
    second_density as materialized (
        from sqlanon._fitted_densities(classes_of_crowds, classes_by_width, 'first_density')
    ),
    third_density as materialized (
        from sqlanon._fitted_densities(classes_of_crowds, classes_by_width, 'second_density')
    )
    select release, classes, class_id, 0 as chance, greatest(density, 1e-12) as density
    from query_table(classes_of_crowds) join third_density using (release, class_id) where not is_nested;

-- What a row of each class counts, by how probable the classes are, and by their sizes: lists.
create or replace macro sqlanon._factors(probabilities, sizes) as
    list_transform(probabilities, lambda probability, i:
        probability / sizes[i] * list_sum(list_transform(sizes, lambda size, j: probabilities[j] * size)));

-- What a row of each class counts for those who may be in it: release, classes, factors (in the order of
-- classes): how probable the class is, by its rows, times the rows that the target's class has on average. No
-- rows for those in one class.
create or replace macro sqlanon._factors_of_classes(crowds, histogram, shown_by_classes) as table
    with class as materialized (from sqlanon._classes_by_width(crowds, histogram, shown_by_classes)),
    member as materialized (from sqlanon._classes_of_crowds(crowds, 'class')),
    room as materialized (from sqlanon._room_of_classes('member', 'class')),
    chance as (
        from sqlanon._nested_chances('member', 'room') union all
        from sqlanon._crossing_chances('member', 'class')
    ),
    listed as (
        select release, classes, list(size order by class_id) as sizes,
               list(density order by class_id) as densities, any_value(chance) as chance
        from chance join class using (release, class_id) group by release, classes
    ),
    probable as (
        select release, classes, sizes,
               list_transform(densities, lambda density:
                   if(density is null, chance, (1 - chance) * density / list_sum(densities)))
                   as probabilities
        from listed
    )
    select release, classes, sqlanon._factors(probabilities, sizes) as factors from probable;
