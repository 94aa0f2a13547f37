-- Verdicts: is what attacks find tolerated? There are three answers: holds, fails, not known.
--
-- What exceeds its bound fails, however little was looked at. What is within its bound holds only if
-- everybody was looked at and everything was read. Everything else is not known.

-- The verdict on a measure. value: what was measured (NULL: nothing was); worst: the value that is compared,
-- of a sample the upper end of its interval; tolerated: the most (NULL: nothing is stated, and there is no
-- verdict); blind: why less may have been found than there is, or NULL.
create or replace macro sqlanon._verdict_on(value, worst, tolerated, blind) as
    case when tolerated is null then null
         when greatest(value, worst) > tolerated + 1e-9 then 'fails'
         when value is null or worst is null or blind is not null then 'not known'
         else 'holds' end;
