-- Probable classes: in which class somebody's row is, if several classes cover them. Classes may overlap, and
-- suppressed rows cover everybody. [own derivation]
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
-- A target that is known in part is covered by several classes because of what is not known, not because they
-- overlap. So only the columns that are known exactly tell how near a row is (as where classes cross; if
-- nothing is known, all rows are as near), and such a target is not among the N people of a class. Rows that
-- others fill, who are known exactly and are in no other class, are not the target's (unless a class has more
-- of these than rows, so that not all of them can be in the release).
--
-- An adversary may also know that a target's row was not suppressed (from the target, or because few rows
-- are), and leaves out classes that show nothing, if others cover the target. Other people may be in them all
-- the same, so that counts stay what they are.

-- How many people have the same covers in a release: release, classes (sorted), people. Targets that are
-- known in part are not counted where several classes cover them. covers_of_targets: as in
-- _covers_of_targets.
create or replace macro sqlanon._crowds(covers_of_targets, combinations) as table
    select release, classes, sum(people)::bigint as people
    from query_table(covers_of_targets) as covered
    join query_table(combinations) as combination using (target, knowledge)
    where len(classes) = 1 or len(classes) > 1 and covered.in_part is null group by release, classes;

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

-- The share of a release's rows that are in classes that show nothing, in the release with the largest share:
-- blank. classes: as made by _classes_of_cells.
create or replace macro sqlanon._blank_share(classes, shown_by_classes) as table
    with of_release as (
        select release, coalesce(sum(size) filter (is_blank), 0) / sum(size) as share
        from query_table(classes)
        left join (select *, true as is_blank from sqlanon._blank_classes(shown_by_classes))
            using (release, class_id)
        group by release
    )
    select coalesce(max(share), 0)::double as blank from of_release;

-- The covers of targets who are known not to be suppressed, without the classes that show nothing. Only
-- targets who have classes of both kinds are here. The columns are those of _covers_of_targets; such a target
-- has the negative of its own number, so that it can stand beside itself as somebody who may be suppressed.
create or replace macro sqlanon._covers_of_unsuppressed(covers_of_targets, shown_by_classes) as table
    with blank as (
        select release, list(class_id) as blanks
        from sqlanon._blank_classes(shown_by_classes) group by release
    ),
    told as (
        select release, target, knowledge, in_part, classes,
               list_filter(classes, lambda class: not list_contains(coalesce(blanks, []), class)) as others
        from query_table(covers_of_targets) left join blank using (release)
    ),
    concerned as (
        select distinct target, knowledge from told where len(others) > 0 and len(others) < len(classes)
    )
    select release, -target as target, knowledge, in_part, if(len(others) > 0, others, classes) as classes
    from told semi join concerned using (target, knowledge);

-- The factors of such targets, for the classes that are left. Columns of _factors_of_classes.
create or replace macro sqlanon._factors_of_unsuppressed(
    factors_of_classes, class_sizes, shown_by_classes) as table
    with member as (
        select release, in_part, classes as all_classes, unnest(classes) as class_id,
               unnest(factors) as factor
        from query_table(factors_of_classes)
    ),
    listed as (
        select release, in_part, list(class_id order by class_id) as classes,
               list(size::double order by class_id) as sizes,
               list(factor * size order by class_id) as chances, count(*) as n
        from member join query_table(class_sizes) using (release, class_id)
        anti join sqlanon._blank_classes(shown_by_classes) using (release, class_id)
        group by release, in_part, all_classes having n > 1 and n < any_value(len(all_classes))
    ),
    probable as (
        select release, in_part, classes, sizes,
               list_transform(chances, lambda chance: chance / list_sum(chances)) as probabilities
        from listed
    )
    select release, in_part, classes, sqlanon._factors(probabilities, sizes) as factors from probable;

-- Crowds of releases in which somebody is in several classes: crowd (a number), release, classes, people,
-- known (all people of the release among the targets).
create or replace macro sqlanon._overlapping_crowds(crowds) as table
    select row_number() over (order by release, classes) as crowd, release::integer as release, classes,
           people, sum(people) over (partition by release)::double as known
    from query_table(crowds)
    where release in (select release from query_table(crowds) where len(classes) > 1);

-- The classes of their releases: class (a number), release, class_id, size (rows), labels, total (the rows of
-- the release).
create or replace macro sqlanon._numbered_classes(
    overlapping_crowds, class_sizes, shown_by_classes) as table
    select row_number() over (order by release, class_id) as class, release, class_id,
           size::double as size, labels, (sum(size) over (partition by release))::double as total
    from query_table(class_sizes) left join query_table(shown_by_classes) using (release, class_id)
    where release in (select release from query_table(overlapping_crowds));

-- The classes of crowds: crowd, people, known, classes (how many), class, release, class_id, size, labels,
-- total, covered (people whom the class covers), place (of the class, a number: the narrowest first),
-- narrowest (the place of the crowd's narrowest).
create or replace macro sqlanon._classes_of_crowds(overlapping_crowds, numbered_classes) as table
    with member as (
        select crowd, people, known, classes, of_class.*,
               sum(people) over (partition by class)::double as covered
        from (select crowd, release, people, known, len(classes) as classes, unnest(classes) as class_id
              from query_table(overlapping_crowds))
        join query_table(numbered_classes) as of_class using (release, class_id)
    ),
    placed as (
        select *, dense_rank() over (
                      order by release, covered, len(list_filter(labels, lambda label: label = '*')), size,
                               class
                  ) as place
        from member
    )
    select *, min(place) over (partition by crowd) as narrowest from placed;

-- Within how many other classes a class is: place, others. Everybody whom it covers they cover, too, and the
-- targets are all people or the labels say so.
create or replace macro sqlanon._classes_around(classes_of_crowds) as table
    with pair as (
        select one.place, other.place as other
        from query_table(classes_of_crowds) as one join query_table(classes_of_crowds) as other using (crowd)
        where one.place <> other.place group by one.place, other.place
        having sum(one.people) = any_value(one.covered)
           and (any_value(one.known >= one.total)
                or sqlanon._shows_less(any_value(other.labels), any_value(one.labels)))
    )
    select place, count(*) as others from pair group by place;

-- As of _classes_of_crowds, and is_nested: is the narrowest class within all others of the crowd?
create or replace macro sqlanon._nested_classes(classes_of_crowds) as table
    select member.*, coalesce(others, 0) = classes - 1 as is_nested
    from query_table(classes_of_crowds) as member
    left join sqlanon._classes_around(classes_of_crowds) as around on around.place = narrowest;

-- The labels of classes, column by column: class, d (of the release and the column), label.
create or replace macro sqlanon._labels_of_columns(numbered_classes) as table
    select class, 1000 * release + generate_subscripts(labels, 1) as d, unnest(labels) as label
    from query_table(numbered_classes);

-- How many values classes stand for: class, widths (of each column). An interval stands for the values within
-- it that the release names in the column, as bounds or by themselves.
create or replace macro sqlanon._widths_of_classes(labels_of_columns) as table
    with label_of_column as (
        select distinct d, label from query_table(labels_of_columns) where label is not null
    ),
    named as (
        select d, label, form, elements, generate_subscripts(named, 1) as i, unnest(named) as value
        from (select *, case form when 'value' then [label] when 'set' then elements else [lo, hi] end
                            as named
              from sqlanon._readings('label_of_column'))
    ),
    coded as (
        select *, count(distinct value) over (partition by d) as most,
               dense_rank() over (
                   partition by d
                   order by value is null, try_cast(value as double) nulls last,
                            try_cast(value as timestamp) nulls last, value) as code
        from named
    ),
    width as (
        select d, label,
               case any_value(form)
                   when 'interval'
                   then coalesce(any_value(code) filter (i = 2 and value is not null), any_value(most))
                        - coalesce(any_value(code) filter (i = 1 and value is not null), 1) + 1
                   when 'set' then any_value(len(elements))
                   when 'any' then any_value(most)
                   when 'mask' then power(10, length(label) - length(replace(label, '*', '')))
                   else 1 end as width
        from coded group by d, label
    )
    select class, list(greatest(1, coalesce(width, 1))::double order by d) as widths
    from query_table(labels_of_columns) left join width using (d, label) group by class;

-- How the classes of crowds lie to each other: crowd, release, class_id, place, people, known, classes, size,
-- total, covered, is_narrowest (in the crowd), is_nested, is_blank (does the class show nothing?),
-- rows_per_value (where classes cross).
create or replace macro sqlanon._nested_or_crossing(nested_classes, widths_of_classes) as table
    select crowd, release, class_id, place, people, known, classes, size, total, covered,
           place = narrowest as is_narrowest, is_nested, sqlanon._shows_nothing(labels) as is_blank,
           size / list_product(widths) as rows_per_value
    from query_table(nested_classes)
    left join query_table(widths_of_classes) using (class);

-- How many people come to the narrowest classes of crowds, and what room they find: as in
-- _nested_or_crossing, and comers (of all people in the release, those for whom the crowd stands; NULL if the
-- class is not the narrowest, or classes cross), room (rows of the class for them), blank (the share of rows
-- that show nothing), closeness (rows_per_value, divided by the largest of the release).
create or replace macro sqlanon._comers(members) as table
    with counted as (
        select *, coalesce(sum(people) filter (is_nested and is_narrowest) over of_class, 0)::double as n,
               size * coalesce(sum(people) filter (is_nested and not is_narrowest) over of_class, 0) / covered
                   as wider_rows,
               crowd = min(crowd) over of_class as is_once
        from query_table(members) window of_class as (partition by place)
    ),
    spread as (
        select *, (sum(wider_rows::decimal(38, 12)) filter (is_once) over of_release)::double as wider,
               sum(size) filter (is_once) over of_release as seen,
               coalesce(sum(size) filter (is_once and is_blank) over of_release, 0) / total as blank,
               rows_per_value / nullif(
                   max(rows_per_value) filter (not is_nested and not is_blank) over of_release, 0)
                   as closeness
        from counted window of_release as (partition by release)
    )
    select *, least(1, known / total) as share, (size - wider_rows) * wider / (total - wider) as others,
           (size - wider_rows) * total / (total - wider) as expected,
           case when is_nested and is_narrowest and known >= total then people
                when is_nested and is_narrowest
                then people * greatest(1, (expected + (known - 1) / (total - 1) * others
                                               / (share * others + (1 - share) * expected)
                                               * (n - share * expected)) / n)
           end as comers,
           size * greatest(1, known / total)
           - (1 - share) * wider_rows * (total - seen) / (total - wider) as room
    from spread;

-- How many rows a class has for each of those who come: crowd, class_id, place, people, known, classes, size,
-- total, is_narrowest, is_nested, chance (of the narrowest class of the crowd, where it is within the
-- others), density (of another one; NULL: it is the narrowest). Where classes cross, the density is as if
-- rows were spread evenly over the values that the class stands for, and those of classes that show nothing
-- over all people; everybody has one row on average.
create or replace macro sqlanon._first_densities(members) as table
    with coming as (
        select *,
               greatest(0, room - coalesce(
                   (sum(comers::decimal(38, 12)) filter (classes = 1) over of_class)::double, 0))
                   as left_room,
               coalesce((sum(comers::decimal(38, 12)) filter (classes > 1) over of_class)::double, 0)
                   as all_comers,
               (sum((people * closeness)::decimal(38, 12)) filter (not is_nested and not is_blank)
                    over of_release)::double
               / sum(people) filter (not is_nested and is_narrowest) over of_release as average
        from query_table(members)
        window of_class as (partition by place), of_release as (partition by release)
    ),
    chosen as (
        select *, max(comers) over of_crowd as crowd_comers,
               max(greatest(1e-6, least(1 - 1e-6, left_room / all_comers))) filter (is_narrowest)
                   over of_crowd as chance
        from coming window of_crowd as (partition by crowd)
    )
    select crowd, class_id, place, people, known, classes, size, total, is_narrowest, is_nested, chance,
           case when is_nested and is_narrowest then null
                when is_nested
                then greatest(1e-6, (left_room - least(left_room, all_comers))
                    / (sum((crowd_comers * (1 - chance))::decimal(38, 12))
                           filter (is_nested and not is_narrowest) over (partition by place))::double)
                when is_blank then size / total
                else (1 - blank) * closeness / average end as density
    from chosen;

-- A step of the proportions that fit the sizes of all classes, where classes cross: as in _first_densities.
-- Those who are no targets come to each class as it has rows for them.
create or replace macro sqlanon._fitted_densities(members) as table
    with dense as (
        select *, case when is_nested then if(is_narrowest, 1, 0)
                       else coalesce(density / nullif(
                           list_sum(list(density order by place) filter (not is_nested)
                                        over (partition by crowd)), 0), 0)
                  end as coming
        from query_table(members)
    )
    select * exclude (coming) replace (
               if(is_nested, density,
                  density * size / greatest(
                      (sum((people * coming)::decimal(38, 12)) over (partition by place))::double
                      * least(1, total / known) + greatest(0, 1 - known / total) * size, 1e-6))
               as density)
    from dense;

-- What a row of each class counts, by how probable the classes are, and by their sizes: lists.
create or replace macro sqlanon._factors(probabilities, sizes) as
    list_transform(probabilities, lambda probability, i:
        probability / sizes[i] * list_sum(list_transform(sizes, lambda size, j: probabilities[j] * size)));

-- What a row of each class counts for those who may be in it: release, in_part (NULL: they are known
-- exactly), classes, factors (in the order of classes): how probable the class is, by its rows, times the
-- rows that the target's class has on average. No rows for those in one class.
create or replace macro sqlanon._factors_of_classes(crowds, class_sizes, shown_by_classes) as table
    with crowd as materialized (from sqlanon._overlapping_crowds(crowds)),
    class as materialized (from sqlanon._numbered_classes('crowd', class_sizes, shown_by_classes)),
    member as materialized (from sqlanon._classes_of_crowds('crowd', 'class')),
    nested as materialized (from sqlanon._nested_classes('member')),
    crossing as (
        from class where release in (select release from nested where not is_nested)
    ),
    label_that_crosses as materialized (from sqlanon._labels_of_columns('crossing')),
    width as (from sqlanon._widths_of_classes('label_that_crosses')),
    known as (from sqlanon._nested_or_crossing('nested', 'width')),
    coming as (from sqlanon._comers('known')),
    first_density as (from sqlanon._first_densities('coming')),
    second_density as (from sqlanon._fitted_densities('first_density')),
    third_density as (from sqlanon._fitted_densities('second_density')),
    listed as (
        select crowd, list(size order by class_id) as sizes,
               list(if(is_nested, density, greatest(density, 1e-12)) order by class_id) as densities,
               any_value(if(is_nested, chance, 0)) as chance
        from third_density where classes > 1 and (is_nested or density is not null) group by crowd
    ),
    probable as (
        select crowd, sizes,
               list_transform(densities, lambda density:
                   if(density is null, chance, (1 - chance) * density / list_sum(densities)))
                   as probabilities
        from listed
    )
    select release, null::integer[] as in_part, crowd.classes,
           sqlanon._factors(probabilities, sizes) as factors
    from probable join crowd using (crowd);

-- The same for those who are known in part, as in _covers_of_targets.
create or replace macro sqlanon._factors_of_boxes(
    crowds, covers_of_targets, class_sizes, shown_by_classes) as table
    with box as materialized (
        select row_number() over () as box, *
        from (select distinct release, in_part, classes from query_table(covers_of_targets)
              where in_part is not null and len(classes) > 1)
    ),
    class as materialized (from sqlanon._numbered_classes('box', class_sizes, shown_by_classes)),
    label_of_class as materialized (from sqlanon._labels_of_columns('class')),
    width as (from sqlanon._widths_of_classes('label_of_class')),
    unclear as (from sqlanon._unclear_releases(crowds, class_sizes)),
    filled as (
        select release, classes[1] as class_id, people from query_table(crowds)
        where len(classes) = 1 and release not in (from unclear)
    ),
    free as (
        select class.*, greatest(1e-6 * size, size - coalesce(people, 0)) as free
        from class left join filled using (release, class_id)
    ),
    shared as (
        select *, free / (sum(free::decimal(38, 12)) over (partition by release))::double as share from free
    ),
    member as (
        select box, class_id, size, share, sqlanon._shows_nothing(labels) as is_blank,
               free / list_product(list_transform(widths, lambda width, position:
                   if(list_contains(in_part, position), 1, width))) as rows_per_value
        from (select box, release, in_part, unnest(classes) as class_id from box)
        join shared using (release, class_id)
        left join width using (class)
    ),
    listed as (
        select box, list(size order by class_id) as sizes,
               list(if(is_blank, share, 0) order by class_id) as blank_shares,
               list(if(is_blank, 0, rows_per_value) order by class_id) as densities
        from member group by box
    ),
    weighed as (
        select box, sizes,
               list_transform(blank_shares, lambda share, i:
                   share + (1 - list_sum(blank_shares))
                           * coalesce(densities[i] / nullif(list_sum(densities), 0), 0)) as weights
        from listed
    ),
    probable as (
        select box, sizes, list_transform(weights, lambda weight: weight / list_sum(weights)) as probabilities
        from weighed
    )
    select release, in_part, classes, sqlanon._factors(probabilities, sizes) as factors
    from probable join box using (box);

-- The factors of all targets. in_one: is nobody who is known exactly in several classes? with_boxes: are some
-- targets known in part?
create or replace macro sqlanon._factors_of_either(
    crowds, covers_of_targets, class_sizes, shown_by_classes, in_one, with_boxes) as table
    from query(
        if(in_one,
           'select null::integer as release, null::integer[] as in_part, null::bigint[] as classes,
                   null::double[] as factors
            where false',
           {call _factors_of_classes})
        || if(with_boxes, ' union all by name ' || {call _factors_of_boxes}, ''));
