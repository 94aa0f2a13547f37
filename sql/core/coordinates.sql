-- Coordinates: values as points in a space in which every attribute counts the same, so that rows and
-- centroids have distances.
--
-- A number or a date is standardized: over the rows it has mean 0 and standard deviation 1 (Domingo-Ferrer
-- and Torra 2005, sec. 2). Any other value is a category: two of them differ or they do not, as if each had a
-- coordinate of its own that is 0 or a step. The step is so long that the variances of these coordinates add
-- up to 1, too: 1 / sqrt(1 - sum p^2), p the share of each category. Two random rows are then as far apart on
-- average as on a number. Where an attribute has one value only, nothing differs on it. NULL is a category;
-- of a number it is at the mean otherwise.
--
-- Coordinates are whole numbers of 1/100,000 of a standard deviation: their sums and squares are exact, so
-- that what is equally far away is equally far away in any order of work.

-- The number that a text stands for: itself, or microseconds of a date; NULL if it is neither.
create or replace macro sqlanon._number(string) as
    coalesce(try_cast(string as double), epoch_us(try_cast(string as timestamp))::double);

-- What the coordinates of each attribute are measured by, from a domain (d, number, category, n): d, largest
-- (absolute number), mean and deviation (both relative to largest, against overflow; a deviation of 0: one
-- number only) and step (0: one category only). Numbers are added in their order: the same sum in every run.
create or replace macro sqlanon._scales(domain) as table
    with bound as (
        select d, greatest(max(abs(number)), 1e-300) as largest, min(number) = max(number) as constant
        from query_table(domain)
        group by d
    ),
    shrunk as (
        select d, number / largest as v, n
        from query_table(domain) join bound using (d)
        where number is not null
    ),
    mean as (select d, list_sum(list(v * n order by v, n)) / sum(n) as mean from shrunk group by d),
    deviation as (
        select d, sqrt(list_sum(list((v - mean) * (v - mean) * n order by v, n)) / sum(n)) as deviation
        from shrunk join mean using (d)
        group by d
    ),
    share as (select d, category, sum(n)::hugeint as n from query_table(domain) group by d, category),
    step as (
        select d, case when count(*) = 1 then 0
                       else round(1e5 / sqrt(1 - sum(n * n)::double / (sum(n) * sum(n))::double))
                  end as step
        from share
        group by d
    )
    select d, largest, mean, case when constant then 0 else deviation end as deviation, step
    from step join bound using (d) left join mean using (d) left join deviation using (d);

-- The coordinate of a number.
create or replace macro sqlanon._coordinate(number, largest, mean, deviation) as
    case when number is null or deviation is null or deviation = 0 then 0::double
         else round((number / largest - mean) / deviation * 1e5)
    end;

-- The text of a squared distance: one and other have x1, ... (coordinates), c1, ... (categories), and one has
-- step1, ...
create or replace macro sqlanon._squared_distance(qi) as
    sqlanon._each(
        qi,
        '(one.x{i} - other.x{i}) * (one.x{i} - other.x{i})'
        || ' + case when one.c{i} is distinct from other.c{i} then 2 * one.step{i} * one.step{i} else 0 end',
        ' + ');

-- For each of these points the nearest of those, of equally near ones that with the smallest id: id, nearest,
-- distance (squared). A point: id, x1, ..., c1, ..., step1, ... The text in condition says of one and other
-- which pairs count. Pairs are not kept: only as much memory is taken as there are points.
create or replace macro sqlanon._nearest(these, those, qi, condition) as table
    from query(sqlanon._fill($$
        select id, arg_min(other_id, struct_pack(distance := distance, id := other_id)) as nearest,
               min(distance) as distance
        from (
            select one.id, other.id as other_id, {distance} as distance
            from {these} as one join {those} as other on {condition}
        )
        group by id
    $$, map {'distance': sqlanon._squared_distance(qi)}));
