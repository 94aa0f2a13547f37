-- Profiles of practice: what rules that many people have to follow ask of a release, in numbers. A policy
-- names one: profile = "cms-11".
--
-- Rules say more than numbers do; leaves_open says what a release that meets a profile may still give away.
--
-- A row has: profile; title; asks and leaves_open, sentences; source. What is asked is NULL where nothing is:
--   * k: every class of rows has at least so many people.
--   * average_risk: the most of the average risk, with which a policy may replace k.
--   * safe_harbor: safe_harbor finds nothing.
--   * global_risk: the most of the global risk of a sample (sql/models/sample_risk.sql).
--   * threshold: a cell of a table of counts with fewer people is hidden.
create or replace macro sqlanon._rules_of_practice() as table
    select 'hipaa-safe-harbor' as profile, 'HIPAA, Safe Harbor' as title, true as safe_harbor,
           'Nothing leaves that looks like one of the 18 kinds of identifiers, no place smaller than the '
               || 'first three digits of a ZIP code of more than 20,000 people, no date finer than a year, '
               || 'no age above 89.' as asks,
           'Columns are judged by their names and values: what is not recognized may still identify people. '
               || 'Rows may still be unique: the rule does not ask for k. It does ask that you do not know '
               || 'that somebody can be identified.' as leaves_open,
           '45 CFR 164.514(b)(2), US Department of Health and Human Services' as source
    union all by name
    select 'ema-0070' as profile, 'EMA, Policy 0070' as title, 12 as k, 0.09 as average_risk,
           'The risk that a row is found to be somebody''s is at most 0.09: of every row (k = 12), or on '
               || 'average over all rows (average_risk = 0.09).' as asks,
           'Nothing is said of what all people of a class have in common (l and t do), of texts, or of what '
               || 'other releases add. As an average, single rows may have a risk of up to 1 / k.'
               as leaves_open,
           'European Medicines Agency, External guidance on the implementation of Policy 0070, EMA/90915/2016'
               as source
    union all by name
    select 'cms-11' as profile, 'CMS, cells of 1 to 10' as title, 11 as k, 11 as threshold,
           'No class of rows, and no cell of a table of counts, is of 1 to 10 people, nor can such a cell be '
               || 'derived from other cells.' as asks,
           'Percentages and texts beside a table are not looked at, nor tables that are not in the register.'
               as leaves_open,
           'Centers for Medicare and Medicaid Services, CMS Cell Size Suppression Policy' as source
    union all by name
    select 'hdx-3' as profile, 'HDX, global risk of 3 %' as title, 0.03 as global_risk,
           'Of the rows of a survey at most 3 % are expected to be re-identified in the population, by their '
               || 'sampling weights, where with one member of a household all are (global_risk = 0.03).'
               as asks,
           'It is an average: single rows may have a much higher risk (record_risk lists them). It depends '
               || 'on which columns are named as quasi-identifiers. Nothing is said of what all people of a '
               || 'class have in common, nor of groups that are at risk as a group.' as leaves_open,
           'OCHA Centre for Humanitarian Data, Guidance Note: Statistical Disclosure Control, 2019' as source;

create or replace macro sqlanon.profiles() as table
    select profile, title, k::integer as k, average_risk::double as average_risk,
           coalesce(safe_harbor, false) as safe_harbor, threshold::integer as threshold,
           global_risk::double as global_risk, asks, leaves_open, source
    from sqlanon._rules_of_practice();

comment on macro table sqlanon.profiles is $$
Lists the profiles of practice that a policy can name (profile = "cms-11"): what a rule that many people have
to follow asks of a release, and what a release that meets it may still give away.

Result:
- profile (text): its name.
- title (text): the rule.
- k (integer, people): the least size of a class; NULL: not asked.
- average_risk (number, 0 to 1): the most of the average risk, with which a policy may replace k; NULL: it may
  not.
- safe_harbor (boolean): is what safe_harbor finds refused?
- threshold (integer, people): the least size of a cell that a table of counts shows; NULL: not asked.
- global_risk (number, 0 to 1): the most of the global risk of a sample; NULL: not asked.
- asks (text): what is asked, in a sentence.
- leaves_open (text): what a release that meets it may still give away.
- source (text): where the rule is written.

Source: 45 CFR 164.514(b)(2); European Medicines Agency, EMA/90915/2016; CMS Cell Size Suppression Policy;
OCHA Centre for Humanitarian Data, Guidance Note: Statistical Disclosure Control, 2019.

Example:
from sqlanon.profiles();
$$;

-- The average risk of a release. unit: the column that says whose a row is, or NULL.
create or replace macro sqlanon._average_risk(tbl, qi, unit) as table
    select value as average_risk from sqlanon.risk(tbl, qi, unit := unit) where id = 'prosecutor_risk_mean';
