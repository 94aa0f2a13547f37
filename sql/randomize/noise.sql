-- Noise of differential privacy: how much of it a budget requires, and how far it reaches.
--
-- It is drawn by OpenDP's samplers, which Python makes known to SQL (sqlanon/randomize/noise.py): DuckDB's
-- own random() is no source of noise. The discrete Laplace distribution has Pr(z) = (1 - a) / (1 + a) a^|z|
-- with a = exp(-1 / scale) (Ghosh, Roughgarden and Sundararajan 2009); the discrete Gaussian has
-- probabilities in proportion to exp(-z^2 / (2 scale^2)) (Canonne, Kamath and Steinke 2020).

create or replace macro sqlanon._error_of_no_noise() as
    error('noise is drawn by OpenDP, from Python: install sqlanon[dp] and call there'
          || ' sqlanon.register_functions(con, noise=True) once');

-- An integer with noise. mechanism: laplace or gaussian. What is drawn here stands until Python has put its
-- function in this place. Each reading draws anew, so a chain draws in a materialized relation, never in the
-- argument of an aggregate: DuckDB takes two of these for one.
create macro if not exists sqlanon._with_noise(value, scale, mechanism) as
    sqlanon._error_of_no_noise()::bigint;
-- Something that happens with a probability.
create macro if not exists sqlanon._event(probability) as sqlanon._error_of_no_noise()::boolean;
-- An integer from 0 to below a bound, each as probable as the others.
create macro if not exists sqlanon._uniform_below(bound) as sqlanon._error_of_no_noise()::bigint;
-- The places, from 1, of the largest of a list of scores, found by noisy max.
create macro if not exists sqlanon._noisy_largest(scores, count, scale) as
    sqlanon._error_of_no_noise()::bigint[];

-- A text, if a release must not be made; NULL if it is paid for. A chain asks once, in the relation of its
-- refusals, before anything is drawn. What stands here is for releases that nobody has to pay for: Python
-- puts a ledger in this place (sqlanon.register_functions), or asks it by itself. budget: as in _budget.
create macro if not exists sqlanon._paid(budget, mechanism, unit, macro, tbl, columns) as null::varchar;

-- REACH

-- Pr(Z >= t) for t from 0 up. For a large scale, t in steps of several, and the probability a bit too large:
-- that of its first integer stands for those of a step, and their total is at least sqrt(2 pi) scale.
create or replace macro sqlanon._gaussian_tails(scale) as table
    with width as (select greatest(1, floor(scale / 500))::bigint as width),
    mass as (
        select width, z * width as t, width * exp(-power(z * width / scale, 2) / 2) as mass
        from width, range(12000) as step(z)
    )
    select t, sum(mass) over (order by t desc)
              / if(width = 1, sum(2 * mass) over () - 1, sqrt(2 * pi()) * scale) as tail
    from mass;

-- The least t >= 0 with Pr(Z >= t) <= chance, for each of a list of chances: chance, reach.
create or replace macro sqlanon._reaches(mechanism, scale, chances) as table
    with asked as (select distinct unnest(chances::double[]) as chance),
    a_laplace as (
        select chance,
               greatest(ceil(-scale * ln(chance * (1 + exp(-1 / scale))) * (1 + 1e-12)), 0)::bigint as reach
        from asked
    ),
    a_gaussian as (
        select chance, min(t) as reach
        from asked, sqlanon._gaussian_tails(if(mechanism = 'gaussian', scale, 1))
        where tail <= chance group by chance
    )
    from a_laplace where mechanism = 'laplace' union all from a_gaussian where mechanism = 'gaussian';

-- The standard deviation. That of the discrete Gaussian is at most scale.
create or replace macro sqlanon._noise_deviation(mechanism, scale) as
    if(mechanism = 'laplace', sqrt(2 * exp(-1 / scale)) / (1 - exp(-1 / scale)), scale::double);
