# Written by `make reference` from sql/.
PARAMETERS = r"""
add_noise
- tbl, columns, keep: as in pram
- scale (number, above 0 and at most 1000000; default 0.1): the standard deviation of the noise, as a share of
  that of the column.
- seed: as in pram

agreeing_rows
- original (table): the raw rows.
- release (table): the released rows, with values of the same form.
- columns (columns): of both tables, those that the adversary knows.
- sensitive (column): of both tables, the column to be learned.

anatomize
- tbl, qi: as in mondrian
- sensitive (columns; default null): must be given: one column, whose values are released by bucket.
- keep: as in mondrian
- l (integer, at least 1; default null): must be given: the least number of rows, and of sensitive values, in
  a bucket.
- seed (integer; default null): fixes who is in which bucket, and the order of rows. Somebody who knows or
  guesses it can undo the release: leave it out, or use a long one and keep it secret.
- unit (column; default null): identifies the person of a row, if people can have several rows. The rows of a
  bucket are then of different people. The column is not released.

attack_summary
- answer (table): the result of an attack, with the columns learned, confidence, baseline, is_right and
  is_control.
- weight (column; default null): of answer, the number of people that a row is about; if not given, one.
- unit (column; default null): of answer, identifies the person of a row, if people can have several rows.
  Each person counts once, with the row of which the adversary is surest.

attacks

background_knowledge
- release, qi, sensitive: as in homogeneity
- k (integer, 0 to 10; default 1): the number of facts (pieces of background knowledge).
- knowledge (one of negations, implications; default 'implications'): the kind of facts. negations: somebody
  does not have a certain value. implications, which include negations: if Bob has cancer, then Ann has the
  flu.
- weight: as in homogeneity

bottom_code
- tbl, columns, keep: as in pram
- threshold: as in top_code
- share (number, above 0 and at most 1; default null): the largest share of values that is replaced: the
  threshold of each column is its quantile at share.
- replacement (one of threshold, mean; default 'threshold'): values become the threshold; or, of numbers, the
  mean of those below it, and the column, then DOUBLE, keeps its total.
- seed: as in generalize

breaches
- releases, targets, id, qi, sensitive, hierarchies, truth: as in intersection_attack
- levels (list of numbers, above 0 and at most 100; default [100, 50, 25, 10]): confidences, in percent, for
  which PVP (the percentage of vulnerable people) is computed.
- nearest, presence, exact_cover, unit, weight: as in intersection_attack
- formats: as in locate
- sure (list of numbers, above 0 and at most 100; default [99, 95, 90]): probabilities, in percent: for each,
  the share of targets with a value that is at least so probable.
- negations, priors, priors_by: as in intersection_attack
- unknown: as in locate
- unchanged, values_may_change: as in intersection_attack

cell_bounds
- cells (table): the published cells, totals among them: the columns in dimensions and value_column.
- dimensions (columns): by which the cells are grouped.
- value_column (column; default 'value'): what is published, a number or a text: a number, <5, or a mark of a
  hidden cell. NULL: hidden.
- total (text or NULL; default 'total'): the mark of a total in the columns of dimensions; NULL where that is
  NULL.
- hierarchies (table; default null): attribute, value, level, label. The labels of a dimension are then values
  and labels of its hierarchy, each the sum of those below it.
- marks (list of texts; default ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X']): what hides a
  value.
- base (number, above 0; default null): the numbers are rounded to its multiples.
- rounding (one of nearest, random, midpoint, controlled; default 'nearest'): how, as in round_cells. Of
  controlled it is assumed that no cell went further.
- least (number, at least 0; default null): what a hidden cell is at least. If not given, 1 if some cell is
  shown to be 0, so that zeros are not hidden, and 0 otherwise; of sums and rounded counts 0.
- most (number, at least 0; default null): what a hidden cell is at most, such as 4 where counts below 5, and
  no others, are hidden. If not given, anything.
- lower_column (column; default null): what is known of hidden cells beforehand: the least that each can be;
  NULL: nothing.
- upper_column (column; default null): the same of the largest.
- insiders (column; default null): the true values of hidden cells that have only one contributor, who knows
  them; NULL for all other cells. If given, the result also has the intervals that these contributors know.
- additive (boolean; default true): a total is the sum of its parts. Of people who can be in several parts it
  is at least the largest of them, and at most their sum: false.
- whole (boolean; default true): the values are whole numbers, as counts are.
- programs (one of none, linear, integer; default 'linear'): how intervals are narrowed where sums alone do
  not finish: by linear programs; then by integer programs where these have left a gap. They run in Python.
- solver_seconds (number, at least 0; default 60): how long the programs take at most.
- rounds (integer, at least 1; default 100): how often bounds are carried from sum to sum at most.

cell_keys
- tbl (table): the raw rows.
- dimensions: as in table_cells
- ptable (table): the perturbation table, with columns pcv (a count), ckey (a cell key) and pvalue (what is
  added), as perturbation_table makes it.
- record_key (column; default null): a random whole number from 0 to 16777215, that a person keeps for ever,
  and that nobody else knows. It must be given; in Python it can be made from the unit and a secret key.
- unit (column; default null): says whose a row is. Then a person counts once in a cell, with one key, however
  many rows they have there. If not given, every row is a person.
- hierarchies, total, empty_cells: as in table_cells
- repeating (integer, at least 1; default 1): counts above the largest of ptable have the noise of its last
  counts in turn; so many: 250 for a table of the British Office for National Statistics.

cell_states
- published (table): the published cells, totals among them: the columns in dimensions and value_column.
- bounds (table): what is known of those that are hidden or rounded, as cell_bounds says of published.
- dimensions (columns): by which the cells are grouped.
- cells (table; default null): the publisher's own cells, as table_cells makes them. Without them no rule is
  asked about.
- threshold, zeros, dominance, p, q: as in unsafe_cells
- response, shares, structural, total: as in unsafe_cells
- value_column (column; default 'value'): what is published.
- safety_range: as in suppress_cells
- whole: as in cell_bounds

cell_sums
- cells, dimensions, value_column, total, hierarchies: as in cell_bounds

classes
- tbl (table): a raw table or a release.
- qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and sex.
- unit (column; default null): identifies the person of a row, if people can have several rows.
- weight (column; default null): for a table of counts: how many people each row stands for, a whole number of
  at least 0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
  together with unit.

closest_records
- release (table): the released rows, with values of the same form as the original.
- original (table): the raw rows of which the release was made.
- held_out (table): raw rows of people of the same kind who were not in the original, about as many rows.
- columns (columns): of all three tables, those that are compared.
- comparisons: as in nearest_linkage

complementary_release
- releases (list of tables): two releases, both with the columns in qi and join_columns.
- qi (columns): the quasi-identifiers, generalized in both.
- join_columns (columns): columns that both releases have unchanged.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- truth (column; default null): of both releases, an identifier of the record, to check whether linked rows
  are the same.
- weight (column; default null): of both releases, how many people each row stands for, as in classes.
- formats: as in locate

complete_hierarchies
- tbl, columns, hierarchies: as in lacking_values

composed_privacy
- costs (table): a row per release, of epsilon, delta and rho. rho is of zero-concentrated differential
  privacy, but for delta; NULL: what follows from epsilon, which is its square / 2.
- target_delta (number, 0 to 1; default 0.000001): at which zero-concentrated differential privacy becomes an
  epsilon, and the most that the deltas of all releases may add up to.

composition_verdicts
- releases, targets, id, qi, sensitive: as in intersection_attack
- tolerated (map of numbers; default map{'pvp_100':0}): the most of each measure of breaches, by its id:
  pvp_<level>, sure_<level>, sure_<level>_release, sure_<level>_unsuppressed, vulnerable, average_drop,
  release_guess_expected or weighted_guess_expected. map {'pvp_100': 0} tolerates nobody who is left with one
  value.
- hierarchies, nearest, presence, exact_cover, unit, weight: as in intersection_attack
- formats: as in locate
- negations, priors, priors_by: as in intersection_attack
- unknown: as in locate
- sampled (boolean; default false): targets are a random sample of the people, so that the upper end of the
  95 % interval must be tolerated.
- unchanged, values_may_change: as in intersection_attack

correspondence
- releases (list of tables): two, the earlier one first; the later one has all rows of the earlier one and
  more. Both have the columns in qi and sensitive.
- qi (columns): the quasi-identifiers.
- sensitive (column): rows of the two releases can be of the same person if they have the same value here;
  values must not change.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- weight (column; default null): of both releases, says how many people each row stands for, as in classes.
- formats: as in locate

count_errors
- original (table): the raw rows, with the columns in qi.
- release (table): the groups, in columns of the same names, each with its count.
- qi (columns): that the groups are made of. They may be generalized: a count lies evenly on the values that
  its group covers.
- hierarchies: as in utility
- count_column (column; default 'n'): of the release, with the counts. These may be below 0.
- deviation_column (column; default 'standard_deviation'): of the release, with the standard deviation of the
  noise in each count.
- queries, seed: as in utility

covers
- released (value): a released value, of a text, a number, a STRUCT(lo, hi) or a list.
- raw (value): a raw value.
- labels (list of texts; default []): the labels above raw in its hierarchy. A label that looks like an
  interval is read as both; locate, which knows the whole hierarchy, lets that decide.
- format (text; default null): how released is written: one of the formats of locate that are of one column.

datafly
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies: as in generalize
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  k_map, dmin, dmax, safety_c, safety_k, composed_l: as in mondrian
- population: as in mondrian
- suppression_limit, seed: as in generalize
- unit: as in mondrian
- known, presence: as in mondrian

date_hierarchy
- tbl: as in interval_hierarchy
- attribute (column): dates, timestamps (their date as written counts; with a time zone, in that of the
  session) or text that casts to dates.
- units (list of one of day, month, quarter, year, decade; default ['month', 'quarter', 'year', 'decade']): of
  the levels 1, 2, ..., in this order.

de_finetti
- release (table): a release of anatomize, or a release with classes.
- targets: as in linking
- id, qi: as in locate
- sensitive (column): of release, the column to be learned.
- rounds (integer, 0 to 1000): the number of iterations, in which weights and frequencies are computed from
  each other; 20 are usually enough.
- bucket (column; default null): of release, the bucket of each row: its rows share the values in the lists of
  sensitive, as in a release of anatomize. If not given, rows with the same quasi-identifiers form a class,
  and targets must be all people in the release, or most of them.
- hierarchies: as in locate
- truth (column; default null): of targets, their true values.
- controls (column; default null): of targets, true for people who are known not to be in the release.

debiased_counts
- tbl (table): what randomized_response has released.
- columns (column): the one whose values are random.
- keys (table): the values that there may be, as they were given there.
- epsilon (number, 0.000001 to 100): as it was given there.

differencing
- counts (table): one row per cell, with the columns in dimensions and count_column; totals are cells, too.
- dimensions (columns): the columns by which the counts are grouped.
- count_column (column): the count; NULL: suppressed.
- total (text; default null): the value of a dimension in cells that are totals over it, such as all. If not
  given, it is NULL, as after GROUP BY CUBE.
- threshold (integer, at least 1; default null): counts below the threshold were suppressed, so a suppressed
  count is below it. If the table has counts below it, these cells are treated as suppressed, and their counts
  as the truth.
- zeros_shown (boolean; default false): true: a count of 0 is never suppressed, so a suppressed count is at
  least 1.
- hierarchies (table; default null): rows of attribute, value, level and label. A dimension with a hierarchy
  may also have cells for its labels.
- programs, solver_seconds, rounds: as in cell_bounds

disclosure
- original (table): the raw rows.
- release (table): the released rows.
- id (column): of both tables, says which rows are the same record.
- columns (columns): those to compare.
- within (number, at least 0; default 0.05): how far the interval around a released value reaches to both
  sides, in standard deviations of the original.
- weight (column; default null): of both tables, says how many people each record stands for, as in classes.

dominated
- choices (table): a row per choice.
- id (column): what each is called; nothing is there twice.
- columns (columns): its measures, such as a risk and a loss: numbers, of which less is better.

downcoding
- release (table): a release with labels of hierarchies in which nothing is generalized more than necessary.
- qi (columns): all quasi-identifiers of the release.
- hierarchies (table): rows of attribute, value, level and label: the values that the labels stand for.
- k (integer, at least 1; default null): the k of the release, if each of its rows is generalized by itself,
  as little as k-anonymity allows. If not given, the release must be one of optimal with local_recoding.

dp_bounds
- tbl (table): the raw rows.
- measure (column): the numbers. NULL and NaN do not count.
- epsilon (number, 0.000001 to 100; default null): of differential privacy. Must be given.
- unit: as in dp_counts
- max_groups (integer, at least 1; default null): with numbers of how many sizes a unit counts at most. Must
  be given with unit.
- max_rows: as in dp_counts

dp_contingency
- tbl (table): the raw rows.
- columns (columns): of truth values, 16 at most. Rows with a NULL in one of them do not count.
- marginals (list of lists of columns): sets of these columns: [['smokes', 'coughs'], ['smokes', 'old']]. The
  rows of each set are counted by its values.
- epsilon (number, 0.000001 to 100; default null): of differential privacy. Must be given, or rho.
- delta (number, 0 to 0.5; default null): of differential privacy, for gaussian noise.
- rho, unit: as in dp_counts
- max_groups (integer, at least 1; default null): with how many combinations of values a unit counts at most.
  Must be given with unit.
- max_rows, mechanism: as in dp_counts

dp_counts
- tbl (table): the raw rows.
- columns (columns): to group by.
- epsilon (number, 0.000001 to 100; default null): of differential privacy. Must be given, or rho.
- delta (number, 0 to 0.5; default null): of differential privacy, 1e-20 at least. Must be given without keys,
  and for gaussian noise.
- rho (number, 0.000001 to 100; default null): of zero-concentrated differential privacy, instead of
  epsilon, for gaussian noise.
- unit (column; default null): says whose a row is. All that is promised is promised to units: nobody learns
  whether all rows of one were there. If not given, each row is a person of its own, and who has several is
  protected less.
- max_groups (integer, at least 1; default null): in how many groups a unit counts at most. Must be given with
  unit.
- max_rows (integer, at least 1; default null): for how many rows a unit counts in a group at most; 1 if not
  given.
- mechanism (one of laplace, gaussian; default 'laplace'): the distribution of the noise. Gaussian noise is
  less where a unit is in many groups.
- keys (table; default null): all groups that there may be, in columns of the same names and types: public
  knowledge, which must not come from the rows. Each of them is in the result, and no other.
- selection (one of threshold, partition; default 'threshold'): how groups are chosen without keys. By
  threshold those with a large noisy count are; by partition each is drawn by how many units it has, which
  shows smaller groups, and costs half of the budget.
- non_negative (boolean; default false): counts below 0 leave as 0. Their sums are too large then.

dp_histogram
- tbl (table): the raw rows.
- columns (column): the one that has a hierarchy.
- hierarchies (table): rows of attribute, value, level and label, as interval_hierarchy gives them: public
  knowledge, which must not come from the rows. Build it from a table of all values that there may be. Rows
  with other values do not count.
- epsilon (number, 0.000001 to 100; default null): of differential privacy. Must be given, or rho.
- delta (number, 0 to 0.5; default null): of differential privacy, for gaussian noise.
- rho, unit: as in dp_counts
- max_groups (integer, at least 1; default null): with how many different values a unit counts at most. Must
  be given with unit.
- max_rows, mechanism: as in dp_counts
- non_negative (boolean; default true): the counts are whole numbers of at least 0; otherwise the best
  estimates, which have fractions.

dp_means
- tbl, columns: as in dp_counts
- measure, bounds: as in dp_sums
- epsilon, delta, rho, unit, max_groups: as in dp_counts
- max_rows: as in dp_sums
- mechanism, keys: as in dp_counts
- grid: as in dp_sums

dp_microaggregate
- tbl (table): the raw rows, a record each.
- columns (columns): of numbers, 12 at most. NULL and NaN count as the middle of the bounds.
- bounds (list of numbers): for each column in turn the least and the largest number that counts: public
  knowledge, which must not come from the rows. Numbers beyond count as the bound.
- k (integer, at least 1): how many records a group has. The last one has up to 2 k - 1, and all there are if
  these are fewer than k.
- epsilon (number, 0.000001 to 100; default null): of differential privacy. Must be given, or rho.
- delta (number, 0 to 0.5; default null): of differential privacy, for gaussian noise.
- rho: as in dp_counts
- mechanism (one of laplace, gaussian; default 'laplace'): the distribution of the noise. Gaussian noise is
  less where there are several columns and many groups.

dp_quantiles
- tbl, columns: as in dp_counts
- measure, bounds: as in dp_sums
- quantiles (list of numbers, 0 to 1; default [0.5]): which; 0.5 is the median. They share the budget. They
  are taken in thousandths, and those that are equal then are one.
- epsilon, delta, unit, max_groups: as in dp_counts
- max_rows (integer, at least 1; default null): for how many rows a unit counts in a group at most; 1 if not
  given. Of more rows, so many count that are evenly apart in their order.
- keys: as in dp_counts
- cells (integer, at least 1; default 100): of the same width, into which the range is cut.

dp_sums
- tbl, columns: as in dp_counts
- measure (column): the numbers that are added up. NULL and NaN do not count.
- bounds (list of numbers): the least and the largest number that counts: public knowledge, which must not
  come from the rows. Numbers beyond count as the bound.
- epsilon, delta, rho, unit, max_groups: as in dp_counts
- max_rows (integer, at least 1; default null): for how many rows a unit counts in a group at most; 1 if not
  given. Who has more has the mean of their rows counted so many times.
- mechanism, keys: as in dp_counts
- grid (number, above 0; default null): what numbers are rounded to a multiple of. If not given, a power of
  ten with at most a billion cells between 0 and the bounds.

dp_top
- tbl, columns: as in dp_counts
- keys (table): all groups that there may be, in columns of the same names and types: public knowledge, which
  must not come from the rows.
- k (integer, at least 1; default 1): how many groups.
- epsilon (number, 0.000001 to 100; default null): of differential privacy. Must be given.
- unit (column; default null): as in dp_counts; somebody may be in any number of groups.
- max_rows: as in dp_counts

dp_wavelet
- tbl (table): the raw rows.
- measure, bounds: as in dp_sums
- cells (integer, 2 to 1048576; default 64): of the same width; made a power of two, up.
- epsilon (number, 0.000001 to 100; default null): of differential privacy. Must be given, or rho.
- delta (number, 0 to 0.5; default null): of differential privacy, for gaussian noise.
- rho, unit: as in dp_counts
- max_groups (integer, at least 1; default null): in how many cells a unit counts at most. Must be given with
  unit.
- max_rows, mechanism: as in dp_counts

exact_cover
- releases, targets, id, qi, sensitive, hierarchies: as in intersection_attack
- truth, nearest, presence, unit: as in intersection_attack
- formats, unknown: as in locate
- unchanged, values_may_change: as in intersection_attack

expected_breaches
- release, qi, sensitive, size, marginal, weight: as in forecast

features
- tbl (table): a release of classes, or any table.
- columns (columns): those that become features.
- categorical (columns; default null): those of them that are categories, although they look like numbers.

flat_hierarchy
- tbl, attribute: as in interval_hierarchy

forecast
- release (table): the release, with the columns in qi and sensitive.
- qi (columns): its quasi-identifiers.
- sensitive (column): the column to be learned.
- size (integer, at least 1; default null): the size of the classes of the other table. If not given, they
  have the sizes of the classes of this release, each weighted by its rows.
- marginal (table; default null): rows of value and share: the frequencies of sensitive values in the other
  table, as shares or as numbers of rows. If not given, those of this release.
- weight (column; default null): of the release, says how many people each row stands for, as in classes.

generalize
- tbl, qi: as in mondrian
- levels (list of integers, at least 0): the level of each column in qi, in that order; 0 is the value itself.
- sensitive, keep: as in mondrian
- hierarchies (table; default null): rows of attribute, value, level and label, as returned by
  interval_hierarchy. A column in qi without a hierarchy has two levels: 0 is the value, 1 is *.
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  k_map, dmin, dmax, safety_c, safety_k, composed_l: as in mondrian
- population: as in mondrian
- suppression_limit (number, 0 to 1; default 0): the share of rows that may be suppressed. With dmin above 0,
  the remaining classes must still cover everybody in the population.
- seed (integer; default null): fixes the order of rows.
- unit: as in mondrian
- known, presence: as in mondrian

help
- macro (text; default null): the name of a macro. If not given, all are listed.

homogeneity
- release (table): a release with one row per person.
- qi (columns): the quasi-identifiers of the release.
- sensitive (columns): the columns to be learned.
- weight (column; default null): how many people each row stands for, as in classes.

identifiers
- tbl (table): the table.

indistinguishability
- mechanism (table): rows of database, output and probability: what the algorithm gives for every database
  that there might be.
- neighbors (table): rows of database and neighbor: which of these differ in one person. Either order will do.
- epsilons (list of numbers, at least 0; default [0, 1, 2]): for which delta is asked.

insert_only
- releases, qi: as in correspondence
- sensitive (column): of both releases; values of people must not change.
- hierarchies, weight: as in correspondence
- formats: as in locate

intersection_attack
- releases (list of tables): the releases, all with the columns in qi and sensitive.
- targets (table): people with raw values in qi, and the column id.
- id (column): of targets, identifies the person; each person must be there once.
- qi (columns): the quasi-identifiers that the adversary knows about the targets.
- sensitive (columns): the columns to be learned.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- truth (columns; default null): of targets, their true values, one per column in sensitive.
- nearest (boolean, or a list of one per release; default false): true for releases of centroids, such as
  those of microaggregate: a target is then found in the nearest class, as in locate.
- presence (list of columns; default null): of targets, one per release: true: the person is in it; false or
  NULL: the person is not. If not given, everybody is in all releases.
- exact_cover (boolean; default false): true: remove candidates that other targets in the class must have.
  This is right if all targets are in the classes where they were found.
- unit (column; default null): of targets, identifies the person of a row, if people can have several rows.
- weight (column; default null): of all releases, how many people each row stands for, as in classes. Targets
  are always one person per row.
- formats: as in locate
- negations (table; default null): values that people are known not to have: rows of the column named by id,
  and value; with several columns in sensitive also sensitive, the name of the column.
- priors (table; default null): the probability of each value for a target before any release is seen: rows of
  value and share, and of sensitive as in negations. Shares need not add up to 1. A share of 0 rules a value
  out; every value of a release must have a share.
- priors_by (columns; default null): of priors and of targets: a row of priors applies to the targets with the
  same values here. If id is among these columns, people without rows have no prior; otherwise everybody must
  have one.
- unknown: as in locate
- unchanged (columns; default null): of the releases, further columns that are released unchanged, such as
  kept columns or hashes of identifiers. Rows are intersected by them, too, but they are not learned. A
  release may lack some of them.
- values_may_change (columns; default null): columns in sensitive and unchanged whose values may differ from
  release to release. Rows are not intersected by them; for each of them, only the one release that leaves
  fewest values is used.

interval_hierarchy
- tbl (table): a table with the values.
- attribute (column): the column with the values; here numbers.
- widths (list of numbers, above 0; default null): of the intervals at levels 1, 2, ..., ascending, each a
  multiple of the one before.
- origin (number; default 0): where an interval starts.
- breaks (list of numbers; default null): in place of widths, where the intervals of level 1 begin, ascending:
  [18, 65, 90] gives <18, [18, 64], [65, 89] and >=90.

joined_releases
- releases (list of tables): two releases; each has the columns in join_on and some of x and y.
- join_on (columns): columns that both releases have, with the same values.
- x (columns): columns that the adversary knows; each is in one of the releases, or in join_on.
- y (columns): columns that the adversary wants to learn; each is in one of the releases, or in join_on.
- weight (column; default null): of both releases, how many people each row stands for, as in classes.

k_similar
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies: as in microaggregate
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  safety_c, safety_k, composed_l: as in mondrian
- algorithm, gamma: as in microaggregate
- recoding: as in mondrian
- seed (integer; default null): fixes the order of rows, and which group each of several equal rows is in.
- unit: as in mondrian
- known, presence: as in mondrian

lacking_values
- tbl (table): the table.
- columns (list of columns): those whose values are looked for, of which some or all have a hierarchy.
- hierarchies (table): attribute, value, level, label.

lattice
- tbl, qi, sensitive: as in mondrian
- hierarchies: as in generalize
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  k_map, dmin, dmax, safety_c, safety_k, composed_l: as in mondrian
- population: as in mondrian
- weights, min_levels, max_levels, gs_factor: as in optimal
- unit: as in mondrian
- known, presence: as in mondrian

leaving_columns
- release (table): what is to leave. Every column of it is looked at; one in no role is kept.
- qi: as in classes
- sensitive (columns; default null): that leave unchanged because they are what the release is about.
- masked (columns; default null): that leave as masks of their values.
- original (table; default null): what the release was made of. If given, people are counted who have a value,
  not rows; and values are compared with the ids.
- id (column; default null): of the original, that says who somebody is, or whose a row is. Without the
  original: a column of this name identifies.
- direct (columns; default null): that may name people, as somebody has decided who can say why.

linking
- release: as in locate
- targets (table): people with raw values in qi, and the column id.
- id, qi: as in locate
- sensitive (columns; default null): of release, the columns to be learned; if not given, the attack
  re-identifies rows.
- hierarchies: as in locate
- truth (columns; default null): of targets, their true values, one per column in sensitive.
- controls (column; default null): of targets, true for people who are known not to be in the release.
- nearest, weight, formats, unknown: as in locate

locate
- release (table): a table with the columns in qi, as released.
- targets (table): people with raw values in qi, and the column id.
- id (column): of targets, says who is who; nobody is twice.
- qi (columns): the quasi-identifiers that are known of the targets.
- hierarchies (table; default null): rows of attribute, value, level and label: what released labels stand
  for.
- nearest (boolean; default false): true for a release of centroids, as of microaggregate: a target is then in
  the class that is nearest in standardized coordinates, of equally near ones in the first (see
  sql/core/coordinates.sql; means and deviations are those of the release).
- weight (column; default null): of the release, says how many people each row stands for, as in classes.
- formats (struct or map of texts; default null): how columns of the release are written, where that is not
  as covers reads them: from a column in qi to the text of a format. range: 25-30, 25..30 and 25 to 30 (both
  ends are in it, without brackets), (25-30], 50+, 65 and over, under 20, of numbers or dates. list: in
  brackets, with quotes or without. set /: a/b, and so with any separator. mask x: 1305x, each x one
  character. between age_min and age_max: two columns with both ends, which are in it; NULL is no bound, and
  two of them are NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A key that is a release or its
  number, a dot and a column is for that release alone. A cell that does not fit is read as without a format.
  targets.age is for a column of the targets, of whom not all is known: a cell is a range (or a number or
  date), a list, a set or a mask then, as the format says. What cannot be read is an error.
- unknown (list of texts; default null): how unknown cells in qi of the targets are written, or one such text;
  NULL is written 'NULL'. If not given, nothing is unknown, and NULL is a value.

m_invariance
- releases (list of tables): the releases in the order of time, all with the columns in qi and sensitive.
- targets (table): everybody who is or was in the table, with raw values in qi, and the column id.
- id (column): of targets, says who is who; nobody is twice.
- qi (columns): the quasi-identifiers, by which people are found in the classes.
- sensitive (columns): of the releases. Of several, the rows in these columns count as the values, and in a
  class no column may have a value twice.
- m (integer, at least 1; default 2): the least number of rows, all with different values, in a class.
- hierarchies (table; default null): rows of attribute, value, level and label: what released labels stand
  for.
- presence (list of columns; default null): of targets, one per release: true says that somebody is in it,
  false or NULL that they are not. If not given, they are where a class covers them.
- group_id (column; default null): of all releases, says which rows are a class, where several classes may
  have the same labels, as those of m_invariant.
- weight (column; default null): of all releases, says how many people each row stands for, as in classes.
- formats: as in locate

m_invariant
- tbl (table): the raw rows of now, one per person.
- id (column): says who is who, the same in each state of the table; nobody is twice. It does not leave.
- qi (columns): the quasi-identifiers.
- sensitive (column): released by class. Nobody's value may change.
- m (integer, at least 1): the least number of rows, all with different values, in a class.
- previous (table; default null): the state after the release before, the column id and signature (a list of
  values); if not given, this is the first release.
- hierarchies: as in mondrian
- recoding: as in mondrian
- seed (integer; default null): fixes who is in which class and the order of rows. m_invariant_state needs
  it, too; nobody else may know it.

m_invariant_state
- tbl, id, qi, sensitive, m: as in m_invariant
- seed (integer): that of the release.
- previous: as in m_invariant
- hierarchies: as in mondrian

mask_email
- value (value): what is masked, as text.
- mark (text; default '***'): what stands for the characters that are hidden.

mask_hierarchy
- tbl, attribute: as in interval_hierarchy

mask_text
- value (value): what is masked, as text.
- first (integer, at least 0; default 0): how many characters are shown at the start.
- last (integer, at least 0; default 0): how many characters are shown at the end.
- mark (text; default '****'): what stands for the others, however many these are.

maximum_disclosure
- release, qi, sensitive: as in homogeneity
- k (integer, 0 to 10; default 5): the largest number of facts.
- weight: as in homogeneity

membership
- release, targets, id: as in nearest_linkage
- columns (columns): the columns that the adversary knows.
- controls (column): of targets, true for people of the same kind who are known not to be in the source; all
  other targets are in it.
- hierarchies: as in locate
- comparisons: as in nearest_linkage

microaggregate
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies (table; default null): rows of attribute, value, level and label, as returned by
  interval_hierarchy. For distances, a text in a column with a hierarchy has the position of its leaf.
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  safety_c, safety_k: as in mondrian
- algorithm (one of mdav, vmdav, univariate, curve; default 'mdav'): mdav: groups of k rows around the rows
  farthest from the mean; vmdav: the same with k to 2k - 1 rows; univariate: the optimal groups on one column
  of numbers or dates; curve: groups of k consecutive rows along a Hilbert curve.
- gamma (number, at least 0; default 0.2): for vmdav: the larger gamma is, the more readily a group takes more
  than k rows: 0.2 is for scattered rows, 1.1 for clustered rows.
- center (one of mean, median; default 'mean'): for numbers and dates: their mean (DOUBLE; dates are rounded),
  or their median, a value of the group. Columns of other types release the most frequent value of the group;
  of equally frequent values the first.
- seed: as in generalize
- unit: as in mondrian

minimal_uniques
- tbl (table): the raw rows.
- columns (columns): those to look at.
- id (column; default null): says which record is which, and is shown.
- max_size (integer, at least 1; default 3): the largest set of columns to look at.
- weight: as in classes

minimality
- release (table): a release of mondrian, with the columns in qi and sensitive; made without hierarchies, a
  population or a target.
- targets (table): everybody in the release, with raw values in qi, and the column id.
- id (column): of targets, identifies the person; each person must be there once.
- qi (columns): all quasi-identifiers of the release.
- sensitive (column): the column to be learned.
- k (integer, at least 1): the k of the release.
- l (integer, at least 1; default null): the l of the release, if it was required.
- alpha (number, above 0 and at most 1; default null): the alpha of the release, if it was required. One of l
  and alpha must be given.
- truth (column; default null): of targets, their true values.
- weight (column; default null): of the release, says how many people each row stands for, as in classes.

mondrian
- tbl (table): the raw rows.
- qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and sex;
  they are recoded, that is made coarser.
- sensitive (columns; default null): columns whose values nobody should learn about a person, such as a
  disease; they are released unchanged.
- keep (columns; default null): further columns that are released unchanged. Columns that no parameter names
  are not released.
- hierarchies (table; default null): rows of attribute, value, level and label (the coarser labels of each
  value), as returned by interval_hierarchy, for those columns in qi that have a hierarchy.
- k (integer, at least 1; default null): k-anonymity: a class has at least k rows.
- l (integer, at least 1; default null): distinct l-diversity: a class has at least l different sensitive
  values; also the l of recursive_c.
- entropy_l (number, at least 1; default null): entropy l-diversity: the sensitive values of a class are
  distributed at least as evenly as l equally frequent values (exp of their entropy is at least l).
- recursive_c (number, above 0; default null): recursive (c, l)-diversity, with l: the most frequent sensitive
  value is less than c times as frequent as the l-th and all rarer ones together.
- alpha (number, above 0 and at most 1; default null): (alpha, k)-anonymity: no sensitive value has a share of
  more than alpha in a class.
- t (number, 0 to 1; default null): t-closeness: the distribution of sensitive values in a class differs from
  that in the whole table by at most t.
- t_distance (one of equal, ordered, hierarchical; default 'equal'): the distance of two sensitive values, for
  t.
- beta (number, above 0; default null): basic beta-likeness: no value is much more frequent in a class than in
  the table: its share in the class is at most (1 + beta) times its share in the table.
- enhanced_beta (number, above 0; default null): enhanced beta-likeness: as beta, but the share of a value in
  a class is at most (1 + min(beta, -ln(its share in the table))) times its share in the table.
- delta_disclosure (number, above 0; default null): delta-disclosure: no value is much more or much less
  frequent in a class than in the table: |ln(share in the class / share in the table)| is below delta.
- k_map (integer, at least 1; default null): k-map: the labels of a class contain the values of at least k_map
  people of the population.
- dmin (number, 0 to 1; default null): delta-presence, lower bound: of the people of the population whose
  values the labels of a class contain, at least this share is in the table. Above 0, everybody in the
  population must be covered by a class.
- dmax (number, 0 to 1; default null): delta-presence, upper bound: of the people of the population whose
  values the labels of a class contain, at most this share is in the table.
- safety_c (number, above 0 and at most 1; default null): (c, k)-safety: an adversary who also knows safety_k
  implications, such as "if Bob has the flu, Ann has it" (background_knowledge), is less than safety_c sure of
  any sensitive value. Such facts may be about all classes; each class is made so that this holds whatever the
  others are.
- safety_k (integer, 0 to 10; default null): the number of implications that the adversary knows, for
  safety_c.
- composed_l (integer, at least 1; default null): composed l-diversity: the known releases and this one
  together leave at least l sensitive values possible for everybody, or as many as the known ones alone. If no
  median cut of a class meets this, other cuts are tried (not if relaxed, or with a target).
- population (table; default null): everybody who might be in the table, with raw values in qi: for k_map,
  dmin and dmax.
- relaxed (boolean; default false): true: rows with the same values may be divided between two classes, if
  this makes the halves more even. This gives more and smaller classes, which may overlap. With k alone and
  without hierarchies every class has fewer than 2k rows, except where classes with the same released values
  look like one.
- target (column; default null): one of the columns in sensitive and keep. Cuts are made where they explain
  most of it (information gain), so that a classifier for it can be trained on the release.
- recoding (one of text, range; default 'text'): text: [20, 29], {a, b} and labels; range: STRUCT(lo, hi) and
  lists.
- seed (integer; default null): fixes the order of rows and, if relaxed, which class each of several equal
  rows is in. Keep it secret: somebody who knows it may be able to undo the release.
- unit (column; default null): identifies the person of a row, if people can have several rows; all
  requirements then count people. The column is not released.
- known (list of tables; default null): releases that are already published, with the columns in qi and
  sensitive: for composed_l. People are looked for in the classes that cover them, as by locate. A row that no
  class of a known release covers is exempt, also if a label could not be read. unread_labels lists such
  labels; Python and the command line report the number of exempt rows and of unread rows.
- presence (list of columns; default null): boolean columns of tbl, one per known release: true if the row is,
  or may be, in that release. For a release that a row is not in, the row is exempt, even if a class there
  covers it. Without presence, everybody may be in all known releases. The columns are not released.
- based_on (table; default null): an earlier release of the same rows. Every class is a union of classes of
  that release, so both together reveal no more about anybody than the earlier one alone. If rows were added
  or removed since, the call fails.
- suppression_limit (number, 0 to 1; default 0): with composed_l, the share of rows that may be suppressed,
  that is left out: those that prevent most cuts, because the known releases leave only rare values possible
  for them. They are in no class, and composed_l does not apply to them. But classes of others may cover them;
  Python and the command line report for how many of them fewer than composed_l values then seem possible.

mu_argus
- tbl, qi, sensitive, keep: as in mondrian
- k (integer, at least 1; default null): must be given: the least number of rows with each combination.
- size (integer, at least 1; default null): the largest number of columns in a combination; if not given, all
  in qi.
- weights (list of numbers, above 0; default null): the cost of a hidden cell in each column in qi, in that
  order; if not given, 1 each. A column that costs more is hidden less often.
- wildcards (boolean; default true): true: a hidden cell counts as equal to every value, as in sdcMicro. Fewer
  cells are hidden, but a row without hidden cells may be the only one with its combination. false: the values
  that a row shows occur together in at least k rows of the table.
- recoding (one of text, range; default 'text'): text: a hidden cell is *, and all columns in qi are text;
  range: a hidden cell is NULL, and columns keep their types.
- seed: as in generalize
- unit (column; default null): identifies the person of a row, if people can have several rows; every shown
  combination must then be that of at least k people. It needs wildcards := false. The column is not released.

nearest_inference
- release, targets, id: as in nearest_linkage
- columns (columns): the columns that the adversary knows.
- sensitive (column): of release, the column to be learned.
- hierarchies: as in locate
- truth (column; default null): of targets, their true values.
- controls: as in nearest_linkage
- within (number, at least 0; default null): for a sensitive column of numbers: a guess is right if it differs
  from the truth by at most this. If not given, it must be equal.
- agreeing (boolean; default false): true: only rows that have the same values in all columns are used; if a
  target has none, nothing is learned.
- comparisons: as in nearest_linkage

nearest_linkage
- release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
- targets (table): people with raw values in the columns here and there, and the column id.
- id (column): of targets, the name or number of a person.
- here (columns): the first set of columns, which one adversary knows.
- there (columns): the second set of columns, which another adversary knows.
- hierarchies: as in locate
- controls (column; default null): of targets, true for people who are known not to be in the original.
- comparisons (integer, at least 1; default 2000000000): the largest number of pairs of distinct rows that are
  compared in each of three steps. If more were needed, some targets, chosen at random, are unfinished.

noisy_counts_attack
- releases (list of tables): counts with differential privacy, such as those of dp_counts with keys: all with
  the columns in qi and sensitive, count_column and deviation_column. They should count the same groups.
- targets, id: as in intersection_attack
- qi (columns): the quasi-identifiers: all columns that the releases group by, except sensitive.
- sensitive (column): of releases, the column to be learned.
- count_column (column): of releases, the noisy counts. Do not replace counts below 0.
- deviation_column (column): of releases, the standard deviation of the noise.
- mechanism (one of laplace, gaussian; default 'laplace'): the distribution of the noise, as in dp_counts.
- hierarchies: as in intersection_attack
- truth (column; default null): of targets, their true values.
- controls: as in linking

optimal
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies: as in generalize
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  k_map, dmin, dmax, safety_c, safety_k, composed_l: as in mondrian
- population: as in mondrian
- suppression_limit: as in generalize
- measure (one of loss, entropy, discernibility, average_class_size, precision, height; default 'loss'): the
  measure to minimize, as ARX computes it; entropy is non-uniform entropy.
- aggregate (one of geometric_mean, arithmetic_mean, rank; default 'geometric_mean'): how the losses of the
  columns are combined.
- monotonic (boolean; default false): true: measure as if suppressed rows were released.
- gs_factor (number, 0 to 1; default 0.5): for loss: below 0.5 suppressed rows weigh less, above 0.5
  generalized rows weigh less.
- weights (list of numbers, at least 0; default null): weights of the columns in qi, in that order; if not
  given, 1 each.
- min_levels (list of integers, at least 0; default null): the lowest level allowed for each column in qi, in
  that order.
- max_levels (list of integers, at least 0; default null): the highest level allowed for each column in qi, in
  that order.
- seed: as in generalize
- unit: as in mondrian
- known, presence: as in mondrian

people_in_classes
- release (table): the release, with the columns in qi and unchanged.
- original (table): the raw rows that it was made of, or more, with the same columns and unit.
- qi (columns): quasi-identifiers, which the release has recoded.
- unit (column): of the original, says whose a row is, where people have several.
- unchanged (columns; default null): sensitive and further columns that left unchanged. Who has no row with
  values that a class has is not in it.
- hierarchies (table; default null): rows of attribute, value, level and label: what released labels stand
  for.

perturbation_table
- largest (integer, 1 to 100): the most by which a count is changed.
- variance (number, above 0): of the noise, the same for all counts.
- blocked (integer, 0 to 100; default 0): counts from 1 to this are not published: they become 0 or more.
- keys (integer, 16 to 1000000; default 4096): how many cell keys there are. Probabilities are multiples of
  1/keys.

pram
- tbl (table): the raw rows.
- columns (columns): to be changed, each for itself.
- keep (columns; default null): further columns that leave unchanged; what nobody names does not leave.
- retain (number, 0 to 1; default 0.8): the probability that a value stays; otherwise one is drawn from the
  distribution of the column: r_ij = retain [i = j] + (1 - retain) p_j.
- strata (columns; default null): values are drawn among rows with the same values of these columns.
- seed (integer; default null): fixes what is drawn, and the order of rows; it must stay secret.

privacy
- tbl, qi: as in classes
- sensitive (columns; default null): columns whose values nobody should learn about a person, such as a
  disease.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for, and the distances of sensitive values.
- l (integer, at least 1; default 2): the l of recursive (c, l)-diversity.
- population (table; default null): everybody who might be in the table, with raw values in qi: for k-map and
  delta-presence. A class counts the people whose values its labels contain, as covers reads labels.
- reference (table; default null): the table whose distribution of sensitive values the classes are compared
  with; if not given, tbl itself. For a release with suppressed rows, give its source. With a unit or a
  weight, this table must have that column, too.
- suppressed (one of value, wildcard; default 'value'): how k-anonymity counts a suppressed cell (* or NULL):
  as a value of its own, or as equal to every value (not with a unit).
- released (boolean; default null): true: tbl is a release, in which * stands for everybody; false: it is raw,
  and * is a value like any other. If not given, tbl is a release if it has labels that are no raw values of
  the population: an interval, a set, a mask, *, a label of hierarchies.
- unit (column; default null): identifies the person of a row, if people can have several rows; all models
  then count people.
- weight: as in classes
- population_weight (column; default null): the weight of the population, if that is a table of counts.

quasi_identifiers
- tbl (table): the raw rows.
- columns (columns; default null): those to look at; all, if not given.
- max_size (integer, at least 1; default 3): the most columns that a set has.
- sample (integer, at least 1; default null): look only at so many rows, drawn by seed and the order of the
  table.
- seed (integer; default 1): of the sample.
- weight: as in classes

randomized_response
- tbl (table): the raw rows.
- columns (column): the one whose values leave, and no other.
- keys (table): all values that there may be, two at least, in a column of the same name and type: public
  knowledge. A value that is none of them becomes any.
- epsilon (number, 0.000001 to 100; default null): of differential privacy. Must be given.

rank_swap
- tbl, columns, keep: as in pram
- p (number, above 0 and at most 1; default 0.05): how far apart the ranks of a pair may be, as a share of the
  values that are not NULL; NULLs are not swapped.
- seed: as in pram

read_hierarchy
- path (file): UTF-8 text, by its name: * and ? are characters of that.
- attribute (column): the column that it is for.
- separator (text, one character; default null): between the fields of a line; if not given, ; or a tab or a
  comma, the first of these that the first line has.
- header (boolean; default null): whether the first line names the columns. If not given, it does where its
  last field is not the one in which all other lines end.

recode
- tbl: as in mondrian
- scheme (table): rows of class_id, attribute, covers and label, as returned by scheme_of_cuts and
  scheme_of_levels, or written by hand. Rows of a class may also have within and beyond.
- qi, sensitive, keep: as in mondrian
- hierarchies (table; default null): hierarchies of sensitive columns, for t_distance := 'hierarchical'. For
  the columns in qi, the scheme alone decides.
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  safety_c, safety_k: as in mondrian
- suppression_limit, seed: as in generalize
- unit: as in mondrian

record_linkage
- original, release, id: as in disclosure
- columns (columns): those that the adversary knows.
- weight: as in disclosure

record_risk
- tbl, qi: as in classes
- keep (columns; default null): further columns to show.
- population: as in risk
- hierarchies: as in locate
- released, unit: as in privacy
- weight: as in classes
- population_weight: as in privacy

risk
- tbl, qi: as in classes
- population (table; default null): everybody, with raw columns in qi: for journalist risk and Sweeney's maps.
- hierarchies: as in locate
- threshold (number, 0 to 1; default 0.2): the risk above which records are counted.
- fraction (number, above 0 and below 1; default null): the share of the population that the table is a sample
  of; with it population uniques are estimated.
- released, unit: as in privacy
- weight: as in classes
- population_weight: as in privacy

round_cells
- cells (table): the cells, as table_cells makes them: the columns in dimensions and value_column.
- dimensions (columns): by which the cells are grouped.
- base (number, above 0): of which multiples are made.
- rounding (one of nearest, random, midpoint, controlled; default 'nearest'): nearest, halves up. random: to
  one of both neighbouring multiples, up with the probability that makes the result right on average.
  midpoint: of the interval above one multiple and up to the next, so that 6 to 10 become 7.5 with a base of
  5; 0 stays 0. controlled: to one of both neighbouring multiples such that totals are still the sums of
  their parts.
- value_column (column; default 'value'): what is rounded.
- total (text or NULL; default 'total'): the mark of a total in the columns of dimensions; NULL where that is
  NULL.
- hierarchies (table; default null): those that the cells were made with: for controlled.
- seed (integer; default null): fixes what random draws: a cell, by its labels, has the same draw in every
  table. Keep it secret. Without it each call draws anew, and the mean of several gives values back.
- solver_seconds (number, at least 0; default 60): how long controlled rounding takes at most.

round_values
- tbl, columns: as in pram
- base (number, above 0): what the rounded values are multiples of.
- keep: as in pram
- seed: as in generalize

samarati
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies: as in generalize
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  k_map, dmin, dmax, safety_c, safety_k, composed_l: as in mondrian
- population: as in mondrian
- suppression_limit, seed: as in generalize
- unit: as in mondrian
- known, presence: as in mondrian

sampled_k_anonymity
- tbl (table): the rows, generalized row by row: a view, say, that makes decades of ages. Nothing of how that
  is done may come from the rows.
- columns (columns): all that leaves; sensitive columns, too.
- k (integer, 2 to 10000): groups of fewer who are drawn are left out.
- share (number, 0.001 to 0.999): the probability with which each is drawn.
- epsilon (number, 0.000001 to 100; default null): of differential privacy, -ln(1 - share) at least. Must be
  given. It does not change the release, only which delta is told of it.
- unit (column; default null): says whose a row is; of each unit one of their different rows counts. If not
  given, each row is a person.

sampled_k_anonymity_privacy
- k (integer, 2 to 10000): groups of fewer are left out.
- share (number, 0.001 to 0.999): of the people who are drawn.
- epsilons (list of numbers, at least 0; default [1]): for which delta is asked; -ln(1 - share) at least.

scheme_of_cuts
- release (table): a release by mondrian, not relaxed, or any other whose classes do not overlap.
- qi (columns): the quasi-identifiers.
- hierarchies (table; default null): rows of attribute, value, level and label: the hierarchies of the
  release. They may have new values.

scheme_of_levels
- release (table): a release by generalize, optimal, samarati or datafly.
- qi (columns): the quasi-identifiers.
- hierarchies (table; default null): rows of attribute, value, level and label: the hierarchies of the
  release. They may have new values.

semantic_bounds
- epsilon (number, 0 to 100): of differential privacy.
- delta (number, 0 to 1; default 0): of differential privacy.
- people (integer, at least 1; default 1): how many people's data there is.

semantic_privacy
- mechanism: as in indistinguishability
- neighbors (table): rows of database, person and neighbor: what each database is without each person, or with
  a default value in their place.
- prior (table; default null): rows of database and probability: what the adversary believes before. If not
  given, it is the worst of all priors.

singling_out
- release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
- targets (table): the people of the source with raw values in columns, and the column id.
- id (column): of targets, the name or number of a person.
- columns (columns): of both tables, those that a condition may name, sensitive ones among them.
- width (integer, at least 1; default null): how many columns a condition names. If not given, all of them.
  With 1 also "at most the least" and "at least the greatest" number or date.
- hierarchies: as in locate
- controls: as in nearest_linkage
- attempts (integer, at least 1; default 10000): how many conditions are tried at most. If there are more,
  they are drawn by lot, the same ones in every run.

skyline
- release, qi, sensitive: as in homogeneity
- l (integer, 0 to 1000000; default 1): the number of values that the target is known not to have.
- k (integer, 0 to 1000000; default 1): the number of other people in the class whose values are known.
- m (integer, 0 to 1000000; default 1): the number of people in the class, not among the k, of whom the
  adversary only knows: if they have the value, the target has it, too.
- value (text; default null): the value in question; if not given, the most frequent one of each class.
- weight: as in homogeneity

suda
- tbl, columns: as in minimal_uniques
- id (column): says which record is which.
- max_size: as in minimal_uniques
- fraction (number, above 0 and below 1; default null): the share of the population that the table is a sample
  of: for dis_score.
- weight: as in classes

suppress_cells
- cells, dimensions, threshold, zeros, dominance, p, q: as in unsafe_cells
- response, shares, structural, total: as in unsafe_cells
- hierarchies (table; default null): those that the cells were made with.
- cost (one of cells, contributors, value; default 'cells'): what is hidden as little as can be found.
- publish (table; default null): cells that must be shown, with the columns in dimensions.
- safety_range (number, above 0; default 10): of sums: how far above and below the value of a cell that breaks
  a rule about contributors estimates have to reach, in percent of it.
- additive, whole: as in cell_bounds
- solver_seconds (number, at least 0; default 60): how long the programs take at most, and then the attack on
  what would leave.

table_cells
- tbl (table): the raw rows.
- dimensions (columns): by which the rows are grouped.
- measure (column; default null): what is summed, a number of at least 0 in every row. If not given,
  contributors are counted.
- unit (column; default null): says whose a row is. Then contributors are people, whose rows in a cell are
  added up first, also for totals. If not given, every row is a contributor.
- hierarchies (table; default null): attribute, value, level, label. A dimension that has one has a cell for
  every label of it; its root is the total.
- weight: as in classes
- total (text; default 'total'): marks a total in the columns of dimensions. No label may be the same.
- empty_cells (boolean; default true): cells without contributors are there, too: every combination of labels.
- linked (list of lists of columns; default null): several tables, each by some of the dimensions, that are
  published together and share cells: [['ward', 'age'], ['ward', 'sex']]. Only their cells are there, each
  once. Over the dimensions that a table does not have its cells are totals. If not given, one table by all
  dimensions.

top_code
- tbl, columns, keep: as in pram
- threshold (value; default null): the threshold of all the columns, which are numbers, dates or times. Either
  this or share.
- share (number, above 0 and at most 1; default null): the largest share of values that is replaced: the
  threshold of each column is its quantile at 1 - share.
- replacement (one of threshold, mean; default 'threshold'): values become the threshold; or, of numbers, the
  mean of those above it, and the column, then DOUBLE, keeps its total.
- seed: as in generalize

trails
- release (table): records without a name, one row per record and place, with the columns record and place.
- targets (table): people, one row per person and place where they were, with the columns id and place.
- id (column): of targets, identifies the person.
- record (column): of release, identifies the record.
- place (column): of both tables, the place.
- incomplete (boolean; default false): true if a place may not have released the record of everybody who was
  there. Then a record can belong to a person whose places contain those of the record (REIDIT-I). Otherwise
  record and person have the same places (REIDIT-C).
- truth (column; default null): of targets, the true record of the person.
- controls (column; default null): of targets, true for people known not to be in the release.

uncertain_counts
- people (integer, at least 1): of how many other people the adversary is unsure, independently of each other.
- share (number, 0 to 1): with which probability each of them has the value that is counted.
- k (integer, at least 1; default null): counts below k are not released. If not given, all are.
- epsilons (list of numbers, at least 0; default [1]): for which delta is asked.

unicity
- tbl (table): the rows, such as visits or purchases.
- unit (column): says whose a row is.
- columns (columns): what is known of a row, such as its place and its hour; a point is a combination of
  these.
- points (list of integers; default [1, 2, 3, 4]): how many points of somebody are known, each at least 1.
- sample (integer, at least 1; default 10000): how many people are drawn; all if there are fewer.
- seed (integer; default 1): fixes which people and which of their points are drawn.

unread_labels
- releases (table, or a list of tables): the releases, all with the columns in qi; or one.
- targets (table): people with raw values in qi.
- qi, hierarchies, formats, unknown: as in locate

unsafe_cells
- cells (table): the cells, as table_cells makes them: the columns in dimensions, contributors, value, largest
  and second.
- dimensions (columns): by which the cells are grouped.
- threshold (integer, at least 1; default null): the least number of contributors of a cell that has any.
- zeros (boolean; default false): a cell with the value 0 is unsafe, too: it says of everybody in it, or of
  everybody who might be, that there is nothing.
- dominance (list of numbers or NULL; default null): two percentages of the value, which the largest
  contribution, and the largest two, may have at most, such as [75, 85]; NULL: any.
- p (number, above 0; default null): the p % rule. What is left of the value without the largest two
  contributions must be at least p % of the largest.
- q (number, above 0; default 100): with it the p/q rule: at least p/q of the largest, where everybody knows
  contributions within q % beforehand.
- response (column; default null): the dimension that is asked about people, an illness say. A cell must not
  have all contributors of its row (its total over the response), nor none of them.
- shares (boolean; default false): cells are published as shares of their row, so that threshold is for its
  contributors and for those who are not in the cell, too.
- structural (table; default null): cells that everybody knows to be empty, with the columns in dimensions. No
  rule is about zeros there.
- total (text or NULL; default 'total'): the mark of a total in the columns of dimensions; NULL where that is
  NULL.

unshared_values
- releases (list of tables): the releases, all with the columns in sensitive.
- sensitive (columns): the columns to be compared.

unsorted_matching
- releases (list of tables): two releases of the same rows, both with the columns in qi and the same number of
  rows.
- qi (columns): columns that both releases have, generalized in different ways; also other columns that both
  have, whose values must then be equal.
- hierarchies: as in locate
- truth: as in complementary_release
- formats: as in locate

utility
- original (table): the raw rows, with the columns in qi and sensitive.
- release (table): the released rows, with the same columns.
- qi (columns): quasi-identifiers.
- sensitive (columns; default null): columns whose relation to qi counts, too.
- hierarchies (table; default null): rows of attribute, value, level and label: what released labels stand
  for.
- k (integer, at least 1; default null): for C_avg.
- id (column; default null): of both tables, says which row is which: for SSE / SST.
- queries (integer, at least 1; default 1000): how many random range counts are compared.
- seed (integer; default 1): of the random range counts.
- weight (column; default null): of both tables, says how many people each row stands for, as in classes; not
  with id.

violations
- tbl, qi: as in classes
- sensitive, hierarchies: as in privacy
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  k_map, dmin, dmax, safety_c, safety_k, composed_l: as in mondrian
- population: as in mondrian
- reference, suppressed, released, unit: as in privacy
- weight: as in classes
- population_weight: as in privacy
- known: as in mondrian
- presence (list of columns; default null): columns of reference, with the meaning that they have for tbl in
  mondrian.
- unchanged (columns; default null): with composed_l, further columns of tbl and reference that were released
  unchanged. An adversary joins tbl by them with the known releases that have them.

wide_hierarchy
- tbl (table): the table, with its columns in this order; the last has one label for all, mostly *.
- attribute (column): the column that it is for.

wildcard_frequencies
- tbl (table): a release with hidden cells.
- qi (columns): quasi-identifiers.
- suppressed (text; default '*'): the value of a hidden cell; NULL is a hidden cell, too.
- weight: as in classes

zcdp_epsilon
- rho (number, at least 0): of zero-concentrated differential privacy. NULL gives NULL.
- delta (number, 0 to 1): at which differential privacy is wanted. At 0 epsilon is infinity.

zcdp_rho
- epsilon (number, at least 0): of (epsilon, delta)-differential privacy. NULL gives NULL.
- delta (number, 0 to 1): of the same. At 0 rho is 0.
"""
