-- Answers from a release: how many rows meet a condition, between which bounds.
--
-- The constants of a condition cut each of its dimensions into pieces: each constant, the open gaps between
-- them, NULL. All values of a piece meet the condition, or none does, so that one of them stands for all.
-- Texts have no order: each is a piece, and so is any text that there is not.
--
-- A class is a box, with a label in each dimension. If all cells of a box meet the condition (combinations of
-- pieces that its labels touch), all of its rows do; if some do, any number of them may. Within a label
-- values are taken to be spread evenly: that makes the estimate, and no bound. Suppressed rows are a box
-- whose labels stand for anything.

-- The pieces that labels touch, and the share of each label that they have: code, value (one of the piece),
-- share. A piece is from least to most, which both belong to it; that of NULL is NaN. (A label that can be
-- read in two ways has what it says in both.)
create or replace macro sqlanon._values_of_numbers(ranges, dimension, piece_values, least, most) as table
    select code, value,
           if(value is null, own,
              greatest(least(last_place, piece_hi) - greatest(first_place, piece_lo) + step, 0)
           ) / total as share
    from query_table(ranges)
    join (select unnest(piece_values) as value, unnest(least) as piece_lo, unnest(most) as piece_hi)
      on d = dimension and lo <= piece_hi and hi >= piece_lo;

-- The same of texts. others: what a text that there is not may be, as far as the condition tells them apart.
create or replace macro sqlanon._values_of_texts(texts, dimension, others) as table
    select code, unnest(if(is_other, others, [value])) as value, weight as share
    from query_table(texts) where d = dimension;

-- A text for each dimension, with its number at {}.
create or replace macro sqlanon._each_dimension(dimensions, template) as
    coalesce(list_aggregate(
        list_transform(dimensions, lambda dimension: format(template, dimension)), 'string_agg', ''), '');

-- The boxes that a condition touches: g (the numbers of a group), what is carried of their rows,
-- is_suppressed, is_sure (are all cells of the box in this group, and meet the condition?), share (of its
-- rows, by the estimate).
--
-- dimensions: their numbers; pieces: for each a query of its values, as above; decided: for each what these
-- (d1, d2, ...) decide, as columns; met: a condition on these; groups: those that number the groups; carried:
-- columns of a box. The last five are texts.
create or replace macro sqlanon._boxes_met(
    rows_of_release, dimensions, pieces, decided, met, groups, carried) as table
    from query(sqlanon._fill($$
        with box as (
            select {codes}{carried}, is_suppressed, row_number() over () as box
            from {rows_of_release} group by all
        ),
        told as (
            select [{groups}]::integer[] as g, box.* exclude ({codes}box), box.box, bool_or({met}) as is_met,
                   bool_and(coalesce({met}, false)) as is_all,
                   sum(1.0::double{shares}) filter ({met}) as share
            from box{joins} group by all
        )
        from (select *, {is_sure} as is_sure from told) where is_met
    $$, map {
        'is_sure': if(len(groups) = 0, 'is_all', 'is_all and count(*) over (partition by box) = 1'),
        'groups': coalesce(list_aggregate(groups, 'string_agg', ', '), ''),
        'codes': sqlanon._each_dimension(dimensions, 'c{}, '),
        'shares': sqlanon._each_dimension(dimensions, ' * f{}.share'),
        'joins': coalesce(list_aggregate(
            list_transform(dimensions, lambda dimension, i:
                format(' join (select code, {1}, sum(share) as share'
                       || ' from ({2}) as piece(code, d{0}, share) group by all) as f{0}'
                       || ' on f{0}.code = box.c{0}', dimension, decided[i], pieces[i])),
            'string_agg', ''), '')}));

-- Of boxes with n, their rows: g, lower, upper, estimate. scale: rows of the source per released row.
-- may_lack: may suppressed rows, which meet the condition, have nothing that is counted?
create or replace macro sqlanon._answers_of_counts(boxes, scale, may_lack) as table
    select g,
           coalesce(sum(n) filter (is_sure and not (may_lack and is_suppressed)), 0)::bigint as lower,
           sum(n)::bigint as upper,
           least(greatest(coalesce(sum(n * share) filter (not is_suppressed), 0) * scale, lower), upper)
               as estimate
    from query_table(boxes) group by all;

-- Of boxes with unit, people, unit_rows and n: the same of people. If m of the N rows of a class surely meet
-- the condition, at least people - (N - m) people have such a row, as everybody has a row. Classes may be of
-- the same people: so lower is the largest of them, unless each unit is one person (are_people).
create or replace macro sqlanon._answers_of_people(boxes, scale, are_people) as table
    with met as (
        select g, is_suppressed, unit, people, unit_rows, sum(n) as n,
               coalesce(sum(n) filter (is_sure), 0) as sure, least(sum(n * share) / unit_rows, 1) as part
        from query_table(boxes) group by g, is_suppressed, unit, people, unit_rows
    ),
    counted as (
        select g, if(is_suppressed, 0,
                     least(people, greatest(people - unit_rows + sure, (sure > 0)::bigint))) as least_people,
               if(is_suppressed, n, least(people, n)) as most_people,
               people * (1 - pow(1 - part, unit_rows / greatest(people, 1))) as expected
        from met
    )
    select g, if(are_people, sum(least_people), max(least_people))::bigint as lower,
           sum(most_people)::bigint as upper,
           least(greatest(coalesce(sum(expected), 0) * scale, lower), upper) as estimate
    from counted group by g;

-- Of boxes with n whose groups end with 1 (a part of the rows) or 0 (the others): the same of the share of
-- the part. It is least where as few rows as possible are in the part, and as many as possible are not.
create or replace macro sqlanon._answers_of_shares(boxes, scale) as table
    with counted as (from sqlanon._answers_of_counts(boxes, scale, false)),
    cell as (
        select g[:-2] as g,
               {'lower': coalesce(sum(lower) filter (g[-1] = 1), 0),
                'upper': coalesce(sum(upper) filter (g[-1] = 1), 0),
                'estimate': coalesce(sum(estimate) filter (g[-1] = 1), 0)} as part,
               {'lower': coalesce(sum(lower) filter (g[-1] = 0), 0),
                'upper': coalesce(sum(upper) filter (g[-1] = 0), 0),
                'estimate': coalesce(sum(estimate) filter (g[-1] = 0), 0)} as others
        from counted group by all
    )
    select g, coalesce(part.lower / nullif(part.lower + others.upper, 0), 0) as lower,
           coalesce(part.upper / nullif(part.upper + others.lower, 0), 0) as upper,
           part.estimate / nullif(part.estimate + others.estimate, 0) as estimate
    from cell;

-- Of boxes with n, total, negative and positive (sums of a measure, of its values below and above 0): the
-- same of the sum. Suppressed rows have values between low and high, or none.
create or replace macro sqlanon._answers_of_sums(boxes, scale, low, high) as table
    select g,
           sum(case when is_suppressed then n * least(low, 0) when is_sure then total else negative end)
               as lower,
           sum(case when is_suppressed then n * greatest(high, 0) when is_sure then total else positive end)
               as upper,
           least(greatest(coalesce(sum(total * share) filter (not is_suppressed), 0) * scale, lower), upper)
               as estimate
    from query_table(boxes) group by all;

-- Of boxes with n rows of one value of a measure: the same of the mean. The least mean is that of the rows
-- which surely meet the condition and some of the others, beginning with the smallest values.
create or replace macro sqlanon._answers_of_means(boxes, low, high) as table
    with step as (
        select g, is_suppressed, is_sure and not is_suppressed as is_sure, n, share, direction,
               if(is_suppressed, if(direction = 1, low, high), value) as value
        from query_table(boxes), (values (1), (-1)) as way(direction)
        where n > 0 and (value is not null or is_suppressed)
    ),
    added as (
        select *, coalesce(sum(n * value) filter (is_sure) over all_rows, 0) as sure_total,
               coalesce(sum(n) filter (is_sure) over all_rows, 0) as sure_rows,
               coalesce(sum(n * value) filter (not is_sure) over until_here, 0) as total,
               coalesce(sum(n) filter (not is_sure) over until_here, 0) as some_rows
        from step
        window all_rows as (partition by g, direction),
               until_here as (partition by g, direction order by direction * value)
    ),
    mean as (
        select *, unnest([sure_total / nullif(sure_rows, 0),
                          (sure_total + total) / nullif(sure_rows + some_rows, 0)]) as mean
        from added
    )
    select g, min(mean) filter (direction = 1) as lower, max(mean) filter (direction = -1) as upper,
           any_value(estimate) as estimate
    from mean
    join (
        select g, sum(n * value * share) filter (not is_suppressed)
                  / nullif(sum(n * share) filter (not is_suppressed), 0) as estimate
        from step where direction = 1 group by g
    ) using (g)
    group by g;
