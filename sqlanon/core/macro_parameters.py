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
- columns (columns): of both tables, the columns that the adversary knows.
- sensitive (column): of both tables, the column to be learned.

anatomize
- tbl, qi: as in mondrian
- sensitive (columns; default null): must be given: one column, whose values are released by bucket. Spellings
  of a value are one, and so is what is missing: a bucket has each once.
- keep: as in mondrian
- l (integer, at least 1; default null): must be given: the least number of rows, and of sensitive values, in
  a bucket.
- seed (integer; default null): fixes who is in which bucket, and the order of rows. Somebody who knows or
  guesses it can undo the release: leave it out, or use a long one and keep it secret.
- unit (column; default null): identifies the person of a row, if people can have several rows. The rows of a
  bucket are then of different people. The column is not released.

attack_summary
- answer (table): the result of an attack, with the columns learned, confidence, baseline, is_right and
  is_control, and perhaps upper_end.
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
- distinct_spellings, missing_counts: as in mondrian

bottom_code
- tbl, columns, keep: as in pram
- threshold: as in top_code
- share (number, above 0 and at most 1; default null): the largest share of values that is replaced: the
  threshold of each column is its quantile at share.
- replacement (one of threshold, mean; default 'threshold'): threshold: values become the threshold; mean (for
  numbers): they become their mean, so the column, which is then DOUBLE, keeps its sum.
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
- unchanged, values_may_change, distinct_spellings: as in intersection_attack

cell_bounds
- cells (table): the published cells, including totals: the columns in dimensions and value_column.
- dimensions (columns): the columns by which the cells are grouped.
- value_column (column; default 'value'): the published value, a number or a text: a number, <5, or a mark of
  a hidden cell. NULL: hidden.
- total (text or NULL; default 'total'): the mark of a total in the columns of dimensions; NULL if totals are
  marked by NULL.
- hierarchies (table; default null): rows of attribute, value, level and label. The labels of a dimension are
  then values and labels of its hierarchy, each the sum of those below it.
- marks (list of texts; default ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X']): the marks of hidden
  cells; a number among them, such as 0, is a mark, too, and no value.
- base (number, above 0; default null): if given, the published numbers are rounded to multiples of it.
- rounding (one of nearest, random, midpoint, controlled; default 'nearest'): the rounding, as in round_cells.
  For controlled, it is assumed that no cell was rounded further.
- least (number, at least 0; default null): the smallest value of a hidden cell. If not given: 1 if some cell
  is shown to be 0, so that zeros are not hidden, and 0 otherwise; for sums and rounded counts 0.
- most (number, at least 0; default null): the largest value of a hidden cell, such as 4 if exactly the counts
  below 5 are hidden. If not given, there is no limit.
- lower_column (column; default null): prior knowledge about hidden cells: the smallest value that each can
  have; NULL: nothing is known.
- upper_column (column; default null): the same for the largest value.
- insiders (column; default null): the true values of hidden cells that have only one contributor, who knows
  them; NULL for all other cells. If given, the result also has the intervals that these contributors know.
- additive (boolean; default true): true: a total is the sum of its parts. false: people can be in several
  parts, so a total is at least the largest part, and at most the sum.
- whole (boolean; default true): the values are whole numbers, as counts are.
- programs (one of none, linear, integer; default 'linear'): how intervals are narrowed if the sums alone do
  not prove that they are exact: by linear programs, or then also by integer programs. They run in Python.
- solver_seconds (number, at least 0; default 60): the time limit of the programs.
- rounds (integer, at least 1; default 100): the largest number of rounds in which bounds are passed from sum
  to sum.

cell_keys
- tbl (table): the raw rows.
- dimensions: as in table_cells
- ptable (table): the perturbation table, with columns pcv (a count), ckey (a cell key) and pvalue (the
  noise), as perturbation_table returns it.
- record_key (column; default null): a random whole number from 0 to 16777215 for each person, which never
  changes and is secret. It must be given; in Python it can be made from the unit and a secret key.
- unit (column; default null): identifies the person of a row. Then a person counts once in a cell, with one
  key, however many rows they have there; p1 and "P1 " are spellings of one person. If not given, every row
  counts as a person.
- hierarchies, total, empty_cells: as in table_cells
- repeating (integer, at least 1; default 1): counts above the largest one in ptable get the noise of its last
  counts in turn; this is the number of these counts: 250 for a table of the British Office for National
  Statistics.

cell_states
- published (table): the published cells, including totals: the columns in dimensions and value_column.
- bounds (table): the bounds of the hidden or rounded cells, as cell_bounds returns them for published.
- dimensions (columns): the columns by which the cells are grouped.
- cells (table; default null): the publisher's own cells, as table_cells returns them. Without them no rule is
  checked.
- threshold, zeros, dominance, p, q: as in unsafe_cells
- response, shares, structural, total: as in unsafe_cells
- value_column (column; default 'value'): the published value.
- safety_range: as in suppress_cells
- whole, marks: as in cell_bounds

cell_sums
- cells, dimensions, value_column, total, hierarchies, marks: as in cell_bounds

classes
- tbl (table): a raw table or a release.
- qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and sex.
- unit (column; default null): identifies the person of a row, if people can have several rows.
- weight (column; default null): for a table of counts: how many people each row stands for, a whole number of
  at least 0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
  together with unit.
- distinct_spellings (columns; default null): if it has the unit, spellings are different people: p1 and P1.

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
- costs (table): one row per release, with the columns epsilon, delta and rho. rho is that of
  zero-concentrated differential privacy, apart from delta; NULL: epsilon ^ 2 / 2, which follows from epsilon.
- target_delta (number, 0 to 1; default 0.000001): the delta at which zero-concentrated differential privacy
  is converted to an epsilon, and the upper limit of the sum of all deltas.

composition_verdicts
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
- release (table): one row per group, with the columns in qi and the noisy count.
- qi (columns): the columns that the counts are grouped by. They may be generalized: the count of a group is
  then distributed evenly over the values that its labels cover.
- hierarchies: as in utility
- count_column (column; default 'n'): of the release, the counts. They may be below 0.
- deviation_column (column; default 'standard_deviation'): of the release, the standard deviation of the noise
  in each count.
- queries, seed: as in utility

covers
- released (value): a released label: a text, a number, a STRUCT(lo, hi) or a list.
- raw (value): a raw value.
- labels (list of texts; default []): the labels above raw in its hierarchy. A label that looks like an
  interval is read both as a label and as an interval; locate, which knows the whole hierarchy, lets the
  hierarchy decide.
- format (text; default null): how released is written: one of the formats of locate for one column.

datafly
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies: as in generalize
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  k_map, dmin, dmax, safety_c, safety_k, composed_l, distinct_spellings, missing_counts: as in mondrian
- population: as in mondrian
- suppression_limit, seed: as in generalize
- unit: as in mondrian
- known, presence: as in mondrian

date_hierarchy
- tbl: as in interval_hierarchy
- attribute (column): a column of dates, timestamps (their date is used; with a time zone, the date in the
  time zone of the session) or text that can be cast to dates.
- units (list of one of day, month, quarter, year, decade; default ['month', 'quarter', 'year', 'decade']):
  the units of levels 1, 2, ..., in this order.

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
- tbl (table): a release of randomized_response.
- columns (column): its column.
- keys (table): the possible values, as given to randomized_response.
- epsilon (number, 0.000001 to 100): the epsilon, as given to randomized_response.

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
- id (column): of both tables, identifies the record.
- columns (columns): the columns to compare.
- within (number, at least 0; default 0.05): half the width of the interval around a released value, in
  standard deviations of the original.
- weight (column; default null): of both tables, how many people each record stands for, as in classes.

dominated
- choices (table): one row per choice.
- id (column): the name of the choice; each must be there once.
- columns (columns): its measures, such as a risk and a loss: numbers, of which smaller ones are better.

downcoding
- release (table): a release with labels of hierarchies in which nothing is generalized more than necessary.
- qi (columns): all quasi-identifiers of the release.
- hierarchies (table): rows of attribute, value, level and label: the values that the labels stand for.
- k (integer, at least 1; default null): the k of the release, if each of its rows is generalized by itself,
  as little as k-anonymity allows. If not given, the release must be one of full-domain generalization in
  rounds, each of which generalizes the rows that the one before has suppressed.

dp_bounds
- tbl (table): the raw rows.
- measure (column): the numbers. NULL and NaN are not counted.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. Must be given.
- unit: as in dp_counts
- max_groups (integer, at least 1; default null): the largest number of sizes (see Notes) in which a unit is
  counted. Must be given with unit.
- max_rows: as in dp_counts

dp_contingency
- tbl (table): the raw rows.
- columns (columns): columns of true and false, 16 at most. Rows with a NULL in one of them are not counted.
- marginals (list of lists of columns): sets of these columns: [['smokes', 'coughs'], ['smokes', 'old']]. The
  rows of each set are counted by its values.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. epsilon or rho must be
  given.
- delta (number, 0 to 0.5; default null): the delta of differential privacy, for gaussian noise.
- rho, unit: as in dp_counts
- max_groups (integer, at least 1; default null): the largest number of combinations of values in which a unit
  is counted. Must be given with unit.
- max_rows, mechanism: as in dp_counts

dp_counts
- tbl (table): the raw rows.
- columns (columns): the columns to group by.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy: the smaller, the more
  noise. epsilon or rho must be given.
- delta (number, 0 to 0.5; default null): the delta of differential privacy, at least 1e-20. Must be given
  without keys, and for gaussian noise.
- rho (number, 0.000001 to 100; default null): the rho of zero-concentrated differential privacy, instead of
  epsilon, for gaussian noise.
- unit (column; default null): identifies the person of a row. All rows of a unit are protected together:
  nobody learns whether they were in the table; p1 and "P1 " are spellings of one. If not given, each row
  counts as a person, and people with several rows are protected less.
- max_groups (integer, at least 1; default null): the largest number of groups in which a unit is counted.
  Must be given with unit.
- max_rows (integer, at least 1; default null): the largest number of rows of a unit that are counted in a
  group; 1 if not given.
- mechanism (one of laplace, gaussian; default 'laplace'): the distribution of the noise. Gaussian noise is
  smaller if a unit is in many groups.
- keys (table; default null): all possible groups, in columns of the same names and types: public knowledge,
  which must not come from the rows. The result has exactly these groups.
- selection (one of threshold, partition; default 'threshold'): how groups are chosen without keys. threshold:
  groups with a large noisy count; partition: each group is drawn with a probability that depends on its
  number of units, which shows smaller groups, but costs half of the budget.
- non_negative (boolean; default false): true: counts below 0 are replaced by 0. Sums of counts are then too
  large.

dp_histogram
- tbl (table): the raw rows.
- columns (column): the column with a hierarchy.
- hierarchies (table): rows of attribute, value, level and label, as returned by interval_hierarchy: public
  knowledge, which must not come from the rows. Build it from a table of all possible values. Rows with other
  values are not counted.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. epsilon or rho must be
  given.
- delta (number, 0 to 0.5; default null): the delta of differential privacy, for gaussian noise.
- rho, unit: as in dp_counts
- max_groups (integer, at least 1; default null): the largest number of different values with which a unit is
  counted. Must be given with unit.
- max_rows, mechanism: as in dp_counts
- non_negative (boolean; default true): true: the counts are whole numbers of at least 0; false: the best
  estimates, which have fractions.

dp_means
- tbl, columns: as in dp_counts
- measure, bounds: as in dp_sums
- epsilon, delta, rho, unit, max_groups: as in dp_counts
- max_rows: as in dp_sums
- mechanism, keys: as in dp_counts
- grid: as in dp_sums

dp_microaggregate
- tbl (table): the raw rows, one per record.
- columns (columns): columns of numbers, 12 at most. NULL and NaN count as the middle of the bounds.
- bounds (list of numbers): for each column in turn its smallest and largest number: public knowledge, which
  must not come from the rows. Numbers outside count as the bound.
- k (integer, at least 1): the number of records in a group. The last group has up to 2 k - 1 records, or all
  records if there are fewer than k.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. epsilon or rho must be
  given.
- delta (number, 0 to 0.5; default null): the delta of differential privacy, for gaussian noise.
- rho: as in dp_counts
- mechanism (one of laplace, gaussian; default 'laplace'): the distribution of the noise. Gaussian noise is
  smaller if there are several columns and many groups.

dp_quantiles
- tbl, columns: as in dp_counts
- measure, bounds: as in dp_sums
- quantiles (list of numbers, 0 to 1; default [0.5]): the quantiles; 0.5 is the median. They share the budget.
  They are rounded to thousandths, and equal ones are computed once.
- epsilon, delta, unit, max_groups: as in dp_counts
- max_rows (integer, at least 1; default null): the largest number of rows of a unit that are counted in a
  group; 1 if not given. Of more rows, this many are chosen at even distances in their order.
- keys: as in dp_counts
- cells (integer, at least 1; default 100): the number of cells of the same width into which the range is
  divided.

dp_sums
- tbl, columns: as in dp_counts
- measure (column): the numbers to add up. NULL and NaN are not counted.
- bounds (list of numbers): the smallest and the largest number: public knowledge, which must not come from
  the rows. Numbers outside count as the bound.
- epsilon, delta, rho, unit, max_groups: as in dp_counts
- max_rows (integer, at least 1; default null): the largest number of rows of a unit that are counted in a
  group; 1 if not given. If a unit has more rows, their mean is counted this many times.
- mechanism, keys: as in dp_counts
- grid (number, above 0; default null): numbers are rounded to multiples of it. If not given, a power of ten
  with at most a billion cells between 0 and the bounds.

dp_top
- tbl, columns: as in dp_counts
- keys (table): all possible groups, in columns of the same names and types: public knowledge, which must not
  come from the rows.
- k (integer, at least 1; default 1): the number of groups.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. Must be given.
- unit (column; default null): as in dp_counts; a unit may be in any number of groups.
- max_rows: as in dp_counts

dp_wavelet
- tbl (table): the raw rows.
- measure, bounds: as in dp_sums
- cells (integer, 2 to 1048576; default 64): the number of cells of the same width; it is rounded up to a
  power of two.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. epsilon or rho must be
  given.
- delta (number, 0 to 0.5; default null): the delta of differential privacy, for gaussian noise.
- rho, unit: as in dp_counts
- max_groups (integer, at least 1; default null): the largest number of cells in which a unit is counted. Must
  be given with unit.
- max_rows, mechanism: as in dp_counts

exact_cover
- releases, targets, id, qi, sensitive, hierarchies: as in intersection_attack
- truth, nearest, presence, unit: as in intersection_attack
- formats, unknown: as in locate
- unchanged, values_may_change, distinct_spellings: as in intersection_attack

expected_breaches
- release, qi, sensitive, size, marginal, weight: as in forecast
- distinct_spellings: as in mondrian

features
- tbl (table): a release of classes, or any table.
- columns (columns): the columns to convert.
- categorical (columns; default null): those that are categories although they look like numbers.

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
- distinct_spellings: as in mondrian

four_questions
- release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
- original (table): the raw rows of which the release was made, one per person.
- columns (columns): of all tables, the columns that an adversary may know or learn.
- held_out (table; default null): raw rows of people of the same kind who were not in the original. If not
  given, control, risk, low and high are NULL, and the last question is not asked.
- sensitive (columns; default null): those of columns that are inferred, each from all others. If not given,
  every column in turn.
- hierarchies: as in locate
- sample (integer, at least 1; default 2000): so many people of each table are attacked, drawn by lot, the
  same in every run; all if there are fewer.
- comparisons: as in nearest_linkage

generalize
- tbl, qi: as in mondrian
- levels (list of integers, at least 0): the level of each column in qi, in that order; 0 is the value itself.
- sensitive, keep: as in mondrian
- hierarchies (table; default null): rows of attribute, value, level and label, as returned by
  interval_hierarchy. A column in qi without a hierarchy has two levels: 0 is the value, 1 is *.
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  k_map, dmin, dmax, safety_c, safety_k, composed_l, distinct_spellings, missing_counts: as in mondrian
- population: as in mondrian
- suppression_limit (number, 0 to 1; default 0): the share of rows that may be suppressed. With dmin above 0,
  the remaining classes must still cover everybody in the population.
- seed (integer; default null): fixes the order of rows.
- unit: as in mondrian
- known, presence: as in mondrian

guess_by_marginals
- tables (list of tables): the published tables of the same people, all without a filter: some of the columns
  in dimensions, and value_column.
- dimensions: as in reconstruct
- value_column (column; default 'value'): as in tables_together: the published count. Hidden ones count 0.
- titles, total, marks: as in tables_together
- max_atoms (integer, at least 1; default 100000): the largest number of combinations of values that are
  looked at.

help
- macro (text; default null): the name of a macro. If not given, all are listed.

homogeneity
- release (table): a release with one row per person.
- qi (columns): the quasi-identifiers of the release.
- sensitive (columns): the columns to be learned.
- weight (column; default null): how many people each row stands for, as in classes.
- distinct_spellings, missing_counts: as in mondrian

icd10_hierarchy
- tbl: as in interval_hierarchy
- attribute (column): a column of texts that begin with a code: J45.0, J450, or J45.0 Asthma.

identifiers
- tbl (table): the table.

indistinguishability
- mechanism (table): rows of database, output and probability: the probability of each output of the algorithm
  for each possible database.
- neighbors (table): rows of database and neighbor: pairs of databases that differ in one person, in either
  order.
- epsilons (list of numbers, at least 0; default [0, 1, 2]): the epsilons for which delta is computed.

insert_only
- releases, qi: as in correspondence
- sensitive (column): of both releases; values of people must not change.
- hierarchies, weight: as in correspondence
- formats: as in locate

intersection_attack
- releases (list of tables): the releases, all with the columns in qi and (without unchanged) sensitive.
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
  release may then lack some of them, and of the columns in sensitive.
- values_may_change (columns; default null): columns in sensitive and unchanged whose values may differ from
  release to release. Rows are not intersected by them; for each of them, only the one release that leaves
  fewest values is used.
- distinct_spellings (columns; default null): columns in sensitive in which spellings are different values,
  such as the codes a and A. Elsewhere spellings are one candidate if there is one release; values of several
  releases are intersected as they are written.

interval_hierarchy
- tbl (table): a table with the values.
- attribute (column): the column with the values; they must be numbers.
- widths (list of numbers, above 0; default null): the widths of the intervals at levels 1, 2, ..., ascending,
  each a multiple of the one before.
- origin (number; default 0): a number at which an interval starts.
- breaks (list of numbers; default null): instead of widths: the numbers at which the intervals of level 1
  begin, ascending: [18, 65, 90] makes <18, [18, 64], [65, 89] and >=90.

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
  safety_c, safety_k, composed_l, distinct_spellings, missing_counts: as in mondrian
- algorithm, gamma: as in microaggregate
- recoding: as in mondrian
- seed (integer; default null): fixes the order of rows, and which group each of several equal rows is in.
- unit: as in mondrian
- known, presence: as in mondrian

lacking_values
- tbl (table): the table.
- columns (list of columns): the columns whose values are checked, if they have a hierarchy.
- hierarchies (table): attribute, value, level, label.

lattice
- tbl, qi, sensitive: as in mondrian
- hierarchies: as in generalize
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  k_map, dmin, dmax, safety_c, safety_k, composed_l, distinct_spellings, missing_counts: as in mondrian
- population: as in mondrian
- weights, min_levels, max_levels, gs_factor: as in optimal
- unit: as in mondrian
- known, presence: as in mondrian

leaving_columns
- release (table): the release. All its columns are checked; a column without a role has the role keep.
- qi: as in classes
- sensitive (columns; default null): sensitive columns, which are released unchanged.
- masked (columns; default null): columns that are released as masks of their values.
- original (table; default null): the table of which the release was made. If given, the people who have a
  value are counted, not rows, and values are compared with the ids.
- id (column; default null): of the original, identifies the person of a row. Without the original: a column
  of this name fails.
- direct (columns; default null): columns that may identify people, because somebody has decided so for a
  reason.

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
- distinct_spellings: as in mondrian

locate
- release (table): a table with the columns in qi, as released.
- targets (table): people with raw values in qi, and the column id.
- id (column): of targets, identifies the person; each person must be there once.
- qi (columns): the quasi-identifiers that the adversary knows about the targets.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- nearest (boolean; default false): true for a release of centroids, such as one of microaggregate: a target
  is then found in the class that is nearest in standardized coordinates, of equally near ones in the first
  (see sql/core/coordinates.sql; means and deviations are those of the release).
- weight (column; default null): of the release, how many people each row stands for, as in classes.
- formats (struct or map of texts; default null): the formats of columns whose labels covers cannot read, such
  as {'age': 'range'}: from a column in qi to a format. range: 25-30, 25..30 and 25 to 30 (including both
  ends, without brackets), (25-30], 50+, 65 and over, under 20, for numbers or dates. list: in brackets, with
  or without quotes. set /: a/b, or with any other separator. mask x: 1305x, each x stands for one character.
  between age_min and age_max: two columns with both ends, which are included; NULL is no bound, and if both
  are NULL, the value is NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A key such as release.age
  or 1.age (name or number of a release, dot, column) is for that release alone. A cell that does not fit its
  format is read as if there were none. A key such as targets.age is for a column of the targets that is only
  partly known: its cells are then ranges (or numbers or dates), lists, sets or masks, as the format says. A
  cell of targets that cannot be read is an error.
- unknown (list of texts; default null): the texts that mean an unknown cell in qi of the targets, or one such
  text; for NULL, write 'NULL'. If not given, no cell is unknown, and NULL is a value.

m_invariance
- releases (list of tables): the releases in the order of time, all with the columns in qi and sensitive.
- targets (table): everybody who is or was in the table, with raw values in qi, and the column id.
- id (column): of targets, identifies the person; each person must be there once.
- qi (columns): the quasi-identifiers, by which people are found in the classes.
- sensitive (columns): the sensitive columns of the releases. With several, each combination of their values
  counts as one value, and in a class no column may have a value twice.
- m (integer, at least 1; default 2): the least number of rows, all with different values, in a class.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- presence (list of columns; default null): of targets, one per release: true: the person is in it; false or
  NULL: the person is not. If not given, people are in a release if a class covers them.
- group_id (column; default null): of all releases, the class of a row, if several classes may have the same
  labels, such as those of m_invariant.
- weight (column; default null): of all releases, how many people each row stands for, as in classes.
- formats: as in locate

m_invariant
- tbl (table): the current raw rows, one per person.
- id (column): identifies the person, in the same way at each time; each person must be there once. The column
  is not released.
- qi (columns): the quasi-identifiers.
- sensitive (column): the sensitive column. Values of people must not change.
- m (integer, at least 1): the least number of rows, all with different values, in a class.
- previous (table; default null): the state after the last release, as returned by m_invariant_state, with the
  columns id and signature (a list of values); if not given, this is the first release.
- hierarchies: as in mondrian
- recoding: as in mondrian
- seed (integer; default null): fixes who is in which class, and the order of rows. Give the same to
  m_invariant_state, and keep it secret.

m_invariant_state
- tbl, id, qi, sensitive, m: as in m_invariant
- seed (integer): the seed of the release.
- previous: as in m_invariant
- hierarchies: as in mondrian

mask_email
- value (value): the value to mask, as text.
- mark (text; default '***'): the text that replaces the hidden characters.

mask_hierarchy
- tbl, attribute: as in interval_hierarchy

mask_text
- value (value): the value to mask, as text.
- first (integer, at least 0; default 0): how many characters are shown at the start.
- last (integer, at least 0; default 0): how many characters are shown at the end.
- mark (text; default '****'): the text that replaces the hidden characters, whatever their number.

maximum_disclosure
- release, qi, sensitive: as in homogeneity
- k (integer, 0 to 10; default 5): the largest number of facts.
- weight: as in homogeneity
- distinct_spellings, missing_counts: as in mondrian

membership
- release, targets, id: as in nearest_linkage
- columns (columns): the columns that the adversary knows.
- controls (column): of targets, true for people of the same kind who are known not to be in the source; all
  other targets are in it.
- hierarchies: as in locate
- comparisons: as in nearest_linkage

membership_by_counts
- releases (list of tables): the tables of counts, such as marginals or allele frequencies, with or without
  noise.
- targets (table): people with raw values in the columns of marginals, and the column id.
- id (column): of targets, the name or number of a person.
- marginals (list of lists of columns): for each table the columns by which it counts.
- count_column (column): of every table, the count; NULL: the cell is hidden.
- controls (column): of targets, true for people of the same kind who are known not to be counted; all other
  targets are counted.
- reference (table): raw rows of other people of the same kind, whom the adversary knows; neither members nor
  controls should be among them.
- deviation_column (column; default null): of every table, the standard deviation of the noise in the count.
  If not given, counts are exact, and a count of 0 means that nobody is there.
- hierarchies: as in locate

microaggregate
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies (table; default null): rows of attribute, value, level and label, as returned by
  interval_hierarchy. For distances, a text in a column with a hierarchy has the position of its leaf.
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  safety_c, safety_k, distinct_spellings, missing_counts: as in mondrian
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
- columns (columns): the columns to check.
- id (column; default null): identifies the record, for the result.
- max_size (integer, at least 1; default 3): the largest number of columns in a set.
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
- distinct_spellings: as in mondrian

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
- distinct_spellings (columns; default null): columns in which spellings are different values, such as the
  codes a and A; elsewhere flu, "flu " and FLU are one value (spellings lists them).
- missing_counts (boolean; default false): true: a missing sensitive value (NULL, empty, blanks) is a value
  like any other. false: it adds no value, and its rows count with the most frequent value of their class.
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
- comparisons (integer, at least 1; default 2000000000): the largest number of pairs, of distinct rows or of
  blocks of them, that are compared in each step. If more were needed, some targets, chosen at random, are
  unfinished.

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
  k_map, dmin, dmax, safety_c, safety_k, composed_l, distinct_spellings, missing_counts: as in mondrian
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
- original (table): the raw rows of which the release was made, or more, with the same columns and unit.
- qi (columns): quasi-identifiers, which the release has recoded.
- unit (column): of the original, identifies the person of a row, if people can have several rows.
- unchanged (columns; default null): sensitive and further columns that were released unchanged. A person can
  only be in a class that has these values of one of their rows.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.

perturbation_table
- largest (integer, 1 to 100): the largest change of a count.
- variance (number, above 0): the variance of the noise, the same for all counts.
- blocked (integer, 0 to 100; default 0): counts from 1 to this number are never published: they become 0 or a
  larger count.
- keys (integer, 16 to 1000000; default 4096): the number of cell keys. Probabilities are multiples of 1/keys.

pram
- tbl (table): the raw rows.
- columns (columns): the columns to change, each independently.
- keep (columns; default null): further columns that are released unchanged. Columns that no parameter names
  are not released.
- retain (number, 0 to 1; default 0.8): the probability that a value is kept; otherwise a value is drawn from
  the distribution of the column: r_ij = retain [i = j] + (1 - retain) p_j.
- strata (columns; default null): values are drawn from the rows with the same values in these columns.
- seed (integer; default null): fixes the random draws, and the order of rows. Keep it secret.

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
- distinct_spellings, missing_counts: as in mondrian

profiles

quasi_identifiers
- tbl (table): the raw rows.
- columns (columns; default null): the columns to check; if not given, all.
- max_size (integer, at least 1; default 3): the largest number of columns in a set.
- sample (integer, at least 1; default null): the size of a random sample of rows to check instead of all; it
  depends on seed and the order of the table.
- seed (integer; default 1): fixes the sample.
- weight: as in classes

randomized_response
- tbl (table): the raw rows.
- columns (column): the only column that is released.
- keys (table): all possible values, at least two, in a column of the same name and type: public knowledge. A
  value that is not in keys becomes a random one.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. Must be given.

rank_swap
- tbl, columns, keep: as in pram
- p (number, above 0 and at most 1; default 0.05): how far apart the ranks of a pair may be, as a share of the
  values that are not NULL; NULLs are not swapped.
- seed: as in pram

read_hierarchy
- path (file): the name of a UTF-8 text file; * and ? in it are characters, not patterns.
- attribute (column): the column that the hierarchy is for.
- separator (text, one character; default null): the separator of the fields in a line; if not given, the
  first of ; tab and comma that occurs in the first line.
- header (boolean; default null): true if the first line has the names of columns. If not given, it is true if
  the last field of the first line differs from the last field that all other lines have.

recode
- tbl: as in mondrian
- scheme (table): rows of class_id, attribute, covers and label, as returned by scheme_of_cuts and
  scheme_of_levels, or written by hand. Rows of a class may also have within and beyond.
- qi, sensitive, keep: as in mondrian
- hierarchies (table; default null): hierarchies of sensitive columns, for t_distance := 'hierarchical'. For
  the columns in qi, the scheme alone decides.
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  safety_c, safety_k, distinct_spellings, missing_counts: as in mondrian
- suppression_limit, seed: as in generalize
- unit: as in mondrian

reconstruct
- tables (list of tables): the published tables: some of the columns in dimensions, and value_column.
- dimensions (columns): all columns by which the tables are grouped; each table has some of them.
- domain (table): rows of attribute and value: all values that each of these columns, and measured, can have.
- value_column (column; default 'value'): as in tables_together: the published count.
- filters (list of texts; default null): one per table: whom it counts, as in tables_together.
- measured (column; default null): the column that means and medians are of. Its values in domain are numbers.
- mean_column (column; default null): of some or all of the tables: the mean of the people in a cell, rounded.
  There is somebody in a cell that has one.
- median_column (column; default null): the same for the median, not rounded. Of a cell whose count is hidden
  it is not used.
- decimals (integer, at least 0; default null): to how many decimals means are rounded. If not given: as many
  as each is written with.
- hierarchies, titles, total, marks, least, most, lower_column, upper_column, all_cells: as
  in tables_together
- max_atoms: as in tables_together
- max_sets (integer, at least 1; default 10): up to how many sets of rows that agree are counted.
- solver_seconds (number, at least 0; default 60): the time limit of the programs.

record_linkage
- original, release, id: as in disclosure
- columns (columns): the columns that the adversary knows.
- weight: as in disclosure

record_risk
- tbl, qi: as in classes
- keep (columns; default null): further columns to return.
- population: as in risk
- hierarchies: as in locate
- suppressed: as in risk
- released, unit: as in privacy
- weight: as in classes
- population_weight: as in privacy
- distinct_spellings: as in classes

risk
- tbl, qi: as in classes
- population (table; default null): everybody who might be in the table, with raw values in qi: for journalist
  risk and Sweeney's maps.
- hierarchies: as in locate
- threshold (number, 0 to 1; default 0.2): the risk above which records are counted.
- fraction (number, above 0 and below 1; default null): if the table is a sample, its share of the population:
  to estimate population uniques.
- suppressed (one of value, wildcard; default 'value'): what a suppressed cell (* or NULL) is: a value of its
  own, or equal to every value (not with a unit or a fraction). Then a record is looked for among all that
  have the same in the cells that it shows.
- released, unit: as in privacy
- weight: as in classes
- population_weight: as in privacy
- distinct_spellings: as in classes

round_cells
- cells (table): the cells, as table_cells returns them: the columns in dimensions and value_column.
- dimensions (columns): the columns by which the cells are grouped.
- base (number, above 0): values are rounded to multiples of it.
- rounding (one of nearest, random, midpoint, controlled; default 'nearest'): nearest: to the nearest
  multiple, halves up. random: to one of the two neighbouring multiples, up with the probability that makes
  the result right on average. midpoint: to the middle of the interval above one multiple and up to the next:
  with a base of 5, 6 to 10 become 7.5; 0 stays 0. controlled: to one of the two neighbouring multiples, so
  that totals are still the sums of their parts.
- value_column (column; default 'value'): the values to round.
- total (text or NULL; default 'total'): the mark of a total in the columns of dimensions; NULL if totals are
  marked by NULL.
- hierarchies (table; default null): the hierarchies with which the cells were made: for controlled.
- seed (integer; default null): fixes the random draws: a cell, identified by its labels, has the same draw in
  every table. Keep it secret. Without a seed, each call draws anew, and the mean of several calls reveals the
  true values.
- solver_seconds (number, at least 0; default 60): the time limit of controlled rounding.

round_values
- tbl, columns: as in pram
- base (number, above 0): what the rounded values are multiples of.
- keep: as in pram
- seed: as in generalize

safe_harbor
- tbl (table): the release, or the table.
- populations (table; default null): how many people live in all ZIP codes with the same first three digits,
  in columns zip3 and population, from current data of the Bureau of the Census. If not given, three digits
  are a problem, as it is not known whether more than 20,000 people live there.
- today (text; default null): the day by which people are 90, such as 2026-01-31; if not given, the current
  one.

samarati
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies: as in generalize
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  k_map, dmin, dmax, safety_c, safety_k, composed_l, distinct_spellings, missing_counts: as in mondrian
- population: as in mondrian
- suppression_limit, seed: as in generalize
- unit: as in mondrian
- known, presence: as in mondrian

sampled_k_anonymity
- tbl (table): the rows, generalized row by row, for example a view that turns ages into decades. The way to
  generalize must not depend on the rows.
- columns (columns): all columns to release, including sensitive ones.
- k (integer, 2 to 10000): groups with fewer than k drawn people are left out.
- share (number, 0.001 to 0.999): the probability with which each person is drawn.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy, at least -ln(1 -
  share). Must be given. It does not change the release, only the delta that belongs to it.
- unit (column; default null): identifies the person of a row; one of the different rows of each person is
  used. If not given, each row counts as a person.

sampled_k_anonymity_privacy
- k (integer, 2 to 10000): the k of sampled_k_anonymity.
- share (number, 0.001 to 0.999): the share of sampled_k_anonymity.
- epsilons (list of numbers, at least 0; default [1]): the epsilons for which delta is computed, each at least
  -ln(1 - share).

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
- epsilon (number, 0 to 100): the epsilon of differential privacy.
- delta (number, 0 to 1; default 0): the delta of differential privacy.
- people (integer, at least 1; default 1): the number of people in the data.

semantic_privacy
- mechanism: as in indistinguishability
- neighbors (table): rows of database, person and neighbor: neighbor is the database without the person, or
  with a default value in their place.
- prior (table; default null): rows of database and probability: the adversary's beliefs before the output. If
  not given, the worst of all priors is used.

singling_out
- release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
- targets (table): all people of the source with raw values in columns, and the column id.
- id (column): of targets, the name or number of a person.
- columns (columns): of both tables, the columns of conditions, which may be sensitive ones.
- width (integer, at least 1; default null): the number of columns in a condition. If not given, all. With 1,
  conditions such as age <= smallest and age >= largest released value are also used.
- hierarchies: as in locate
- controls: as in nearest_linkage
- attempts (integer, at least 1; default 100000): the largest number of conditions to try. If there are more,
  a random sample is tried, the same in every run.

skyline
- release, qi, sensitive: as in homogeneity
- l (integer, 0 to 1000000; default 1): the number of values that the target is known not to have.
- k (integer, 0 to 1000000; default 1): the number of other people in the class whose values are known.
- m (integer, 0 to 1000000; default 1): the number of people in the class, not among the k, of whom the
  adversary only knows: if they have the value, the target has it, too.
- value (text; default null): the value in question; if not given, the most frequent one of each class.
- weight: as in homogeneity
- distinct_spellings, missing_counts: as in mondrian

sparse_linkage
- release (table): records without a name, one row per record and item, with the columns record and columns.
- targets (table): people, one row per person and known item, with the columns id and columns.
- id (column): of targets, identifies the person.
- record (column): of release, identifies the record.
- columns (columns): of both tables, the columns that make up an item, such as the product and the week.
- eccentricity (number, at least 0; default 1.5): a record is learned if its score is ahead of the next one's
  by so many standard deviations of all scores.
- truth (column; default null): of targets, the true record of the person.
- controls (column; default null): of targets, true for people known not to be in the release.

spellings
- tbl (table): the table.
- columns (columns; default null): the columns to look at; if not given, all that have texts.

suda
- tbl, columns: as in minimal_uniques
- id (column): identifies the record.
- max_size: as in minimal_uniques
- fraction (number, above 0 and below 1; default null): if the table is a sample, its share of the population:
  for dis_score.
- weight: as in classes

suppress_cells
- cells, dimensions, threshold, zeros, dominance, p, q: as in unsafe_cells
- response, shares, structural, total: as in unsafe_cells
- hierarchies (table; default null): the hierarchies with which the cells were made.
- cost (one of cells, contributors, value; default 'cells'): what to minimize: the number of hidden cells,
  their contributors, or their sum.
- publish (table; default null): cells that must be shown, with the columns in dimensions.
- safety_range (number, above 0; default 10): for sums: how far estimates must reach above and below the value
  of a cell that breaks a rule about contributors, in percent of the value.
- additive, whole: as in cell_bounds
- solver_seconds (number, at least 0; default 60): the time limit of the programs, and then of the attack on
  the result.

table_cells
- tbl (table): the raw rows.
- dimensions (columns): the columns by which the rows are grouped.
- measure (column; default null): the column to sum, a number of at least 0 in every row. If not given,
  contributors are counted.
- unit (column; default null): identifies the person of a row. Then contributors are people, and the rows of a
  person in a cell are added up first, also for totals; p1 and "P1 " are spellings of one person. If not
  given, every row is a contributor.
- hierarchies (table; default null): rows of attribute, value, level and label. A dimension with a hierarchy
  has a cell for every label; the root is the total.
- weight: as in classes
- total (text; default 'total'): the mark of a total in the columns of dimensions. No label may be the same.
- empty_cells (boolean; default true): true: also return cells without contributors, so that there is one for
  every combination of labels.
- linked (list of lists of columns; default null): several tables, each by some of the dimensions, that are
  published together and share cells: [['ward', 'age'], ['ward', 'sex']]. The result has only the cells of
  these tables, each once. The cells of a table are totals over the dimensions that it does not have. If not
  given, the result is one table by all dimensions.

tables_together
- tables (list of tables): the published tables, with totals or without: some of the columns in dimensions,
  and value_column.
- dimensions (columns): all columns by which the tables are grouped; each table has some of them, or none.
- value_column (column; default 'value'): the published count, a number or a text: a number, <5, or a mark of
  a hidden cell. NULL: hidden.
- releases (list of tables; default null): releases of rows about the same people, everybody with one row in
  each: some of the columns in dimensions, as released. Their labels are read as covers reads them.
- filters (list of texts; default null): one per table, then one per release: whom it counts, as conditions of
  SQL with AND between them, such as age > 30, age between 20 and 29, sex = 'F', ward in ('A', 'B') or ward is
  null; an empty text:
  everybody.
- periods (list of texts; default null): one per table, then one per release: as of when it counts, such
  as 2026-04. They are ordered as texts, but digits as numbers: 2026-9 comes before 2026-10.
- growing (boolean; default null): true: from period to period people are only added, so that the difference
  of two periods is those who came. false: tables of different periods are about different people, and there
  is nothing to compare. NULL: nobody has said; tables of different periods are not compared, and a row says
  so.
- varying (columns; default null): columns whose values can change from period to period, such as age. What a
  table says of them holds in its own period only.
- hierarchies (table; default null): rows of attribute, value, level and label: what labels stand for.
- domain (table; default null): rows of attribute and value: all values that a column can have. Columns that
  are not in it can have any value.
- titles (list of texts; default null): one per table, then one per release: what it is called in the
  result; otherwise its name.
- threshold (integer, at least 1; default 5): a cell is reported if fewer values than this are possible for
  it, and the smallest is below it.
- zeros (boolean; default false): true: cells in which nobody can be are reported, too.
- total (text or NULL; default 'total'): the mark of a total in the columns of dimensions; NULL if totals are
  marked by NULL.
- marks (list of texts; default ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X']): the marks of hidden
  cells.
- least (number, at least 0; default null): the smallest value of a hidden cell. If not given: 1 in a table
  that shows a 0, so that zeros are not hidden, and 0 otherwise.
- most (number, at least 0; default null): the largest value of a hidden cell. If not given, there is no
  limit.
- lower_column (column; default null): of some or all of the tables: the smallest value that each hidden cell
  can have; so a rounded or noisy count is a hidden cell with bounds.
- upper_column (column; default null): the same for the largest value.
- all_cells (boolean; default true): true: a combination of the finest labels of a table that has no row
  counts 0, as after GROUP BY. false: nothing is known of it.
- sum_column (column; default null): of some or all of the tables: what the people in a cell have in all of a
  measure, such as their incomes. NULL: not published.
- mean_column (column; default null): the same for the mean, rounded. Where the count is hidden, a mean tells
  that there is somebody, and which counts fit it.
- decimals (integer, at least 0; default null): to how many decimals sums and means are rounded. If not given:
  as many as each is written with; sums written as whole numbers are exact.
- measure_least (number; default 0): the smallest value of the measure that somebody can have.
- measure_most (number; default null): the largest value.
- measure_step (number, above 0; default null): the values of the measure are its multiples: 1 for whole
  numbers. Then a mean narrows a count that is hidden or noisy: not every number of people can have it.
- percent (number, 0 to 100; default 10): a sum of people who may be fewer than the threshold is reported if
  it is known within this percentage on each side: no value has so many percent of it above and below that
  are possible, too.
- max_atoms (integer, at least 1; default 100000): the largest number of combinations of labels that are
  looked at.
- programs (one of none, linear, integer; default 'linear'): how bounds are narrowed if the sums alone do not
  prove that they are exact: by linear programs, or then also by integer programs. They run in Python.
- solver_seconds (number, at least 0; default 60): the time limit of the programs.
- rounds (integer, at least 1; default 100): the largest number of rounds in which bounds are passed from sum
  to sum.

top_code
- tbl, columns, keep: as in pram
- threshold (value; default null): the threshold for all columns, which must be numbers, dates or times. Give
  either threshold or share.
- share (number, above 0 and at most 1; default null): the largest share of values that is replaced: the
  threshold of each column is its quantile at 1 - share.
- replacement (one of threshold, mean; default 'threshold'): threshold: values become the threshold; mean (for
  numbers): they become their mean, so the column, which is then DOUBLE, keeps its sum.
- seed: as in generalize

trails
- release (table): records without a name, one row per record and place, with the columns record and place.
- targets (table): people, one row per person and place where they were, with the columns id and place.
- id (column): of targets, identifies the person, of whom p1 and "P1 " are spellings.
- record (column): of release, identifies the record.
- place (column): of both tables, the place.
- incomplete (boolean; default false): true if a place may not have released the record of everybody who was
  there. Then a record can belong to a person whose places contain those of the record (REIDIT-I). Otherwise
  record and person have the same places (REIDIT-C).
- truth (column; default null): of targets, the true record of the person.
- controls (column; default null): of targets, true for people known not to be in the release.

uncertain_counts
- people (integer, at least 1): the number of other people about whom the adversary is uncertain,
  independently of each other.
- share (number, 0 to 1): the probability, for the adversary, that each of them has the value that is counted.
- k (integer, at least 1; default null): counts below k are not released. If not given, all are.
- epsilons (list of numbers, at least 0; default [1]): the epsilons for which delta is computed.

unicity
- tbl (table): the rows, such as visits or purchases.
- unit (column): identifies the person of a row, of whom p1 and "P1 " are spellings.
- columns (columns): the columns that the adversary knows of a row, such as its place and its hour; a point is
  a combination of their values.
- points (list of integers; default [1, 2, 3, 4]): the numbers of points that the adversary knows of a person,
  each at least 1.
- sample (integer, at least 1; default 10000): how many people are drawn; all if there are fewer.
- seed (integer; default 1): fixes which people and which of their points are drawn.

unread_labels
- releases (table, or a list of tables): the releases, all with the columns in qi; or one release.
- targets (table): people with raw values in qi.
- qi, hierarchies, formats, unknown: as in locate
- of_any_kind (boolean; default false): true for releases without classes, such as synthetic rows, whose
  values need not be somebody's: a text that no target has is listed only if it differs from a target's value
  by nothing but case, blanks or accents, or if the column has nothing that a target has.

unsafe_cells
- cells (table): the cells, as table_cells returns them: the columns in dimensions, contributors, value,
  largest and second.
- dimensions (columns): the columns by which the cells are grouped.
- threshold (integer, at least 1; default null): the least number of contributors of a cell that is not empty.
- zeros (boolean; default false): true: a cell with the value 0 is unsafe, too, because it reveals that nobody
  has this combination, or that nobody contributes anything.
- dominance (list of numbers or NULL; default null): two percentages, such as [75, 85]: the largest share of
  the value that the largest contribution may have, and that the two largest together may have; NULL: any.
- p (number, above 0; default null): the p % rule: the value without its two largest contributions must be at
  least p % of the largest contribution.
- q (number, above 0; default 100): for the p/q rule: the value without its two largest contributions must be
  at least p/q of the largest, if everybody already knows contributions up to an error of q %.
- response (column; default null): the dimension with the attribute of interest, such as an illness. A cell
  must not have all contributors of its row (its total over the response), nor none of them.
- shares (boolean; default false): true: cells are published as shares of their row, so threshold also applies
  to the contributors of the row, and to those of the row who are not in the cell.
- structural (table; default null): cells that everybody knows to be empty, with the columns in dimensions.
  Rules about zeros do not apply to them.
- total (text or NULL; default 'total'): the mark of a total in the columns of dimensions; NULL if totals are
  marked by NULL.

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
- sensitive (columns; default null): sensitive columns, for the measures that also compare their relation to
  qi.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- k (integer, at least 1; default null): for C_avg.
- id (column; default null): of both tables, identifies the row: for SSE / SST.
- queries (integer, at least 1; default 1000): the number of random range counts (such as: how many people are
  from 20 to 35?) that are compared.
- seed (integer; default 1): fixes the random range counts.
- weight (column; default null): of both tables, how many people each row stands for, as in classes; not with
  id.
- held_out (table; default null): raw rows of people of the same kind who are not in the original, with the
  columns in qi and sensitive: for accuracy.
- formats: as in locate

utility_of_synthetic
- original (table): the raw rows.
- release (table): the released rows, with values of the same form.
- columns (columns): of both tables, those that are compared.
- groups (integer, at least 1; default 10): into so many groups, each with about as many rows of the original,
  numbers and dates are cut.

violations
- tbl, qi: as in classes
- sensitive, hierarchies: as in privacy
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
  k_map, dmin, dmax, safety_c, safety_k, composed_l, distinct_spellings, missing_counts: as in mondrian
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
- tbl (table): the table, with its columns in this order; the last has the same label for all, usually *.
- attribute (column): the column that the hierarchy is for.

wildcard_frequencies
- tbl (table): a release with hidden cells.
- qi (columns): quasi-identifiers.
- suppressed (text; default '*'): the value of a hidden cell; NULL is a hidden cell, too.
- weight: as in classes

zcdp_epsilon
- rho (number, at least 0): the rho of zero-concentrated differential privacy. NULL gives NULL.
- delta (number, 0 to 1): the delta of differential privacy. At 0, epsilon is infinity.

zcdp_rho
- epsilon (number, at least 0): the epsilon of (epsilon, delta)-differential privacy. NULL gives NULL.
- delta (number, 0 to 1): its delta. At 0, rho is 0.
"""
