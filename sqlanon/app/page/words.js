// Words that differ between an earlier release and the table: weiblich there, w here. Which of them mean the same
// somebody has to say: a pair is asked about, never assumed.

import { identifier, literal } from "./sql.js";

const MOST = 20; // words of a column that are compared

// Of each column that both have: column, earlier and now (words that only one has) and pairs, those of them that
// may be the same word. Ranges, masks and lists of labels are no words; of a set each element is one, but for its mark of a missing value.
export async function wordsThatDiffer(rows, columns) {
  const found = [];
  for (const column of columns) {
    const [{ earlier, now }] = await rows(`
      with word_there as (
        select distinct sqlanon._trimmed(unnest(case when label like '{%}' then list_filter(string_split(label[2:-2], ', '), lambda word: word <> 'NULL') else [label] end)) as word
        from (select distinct ${identifier(column)}::varchar as label from earlier_as_read) where label is not null
      ), word_here as (select distinct ${identifier(column)}::varchar as word from people where ${identifier(column)} is not null)
      select (select list({'word': word, 'folded': sqlanon._folded(word)} order by word) from word_there
              where word not in (from word_here) and not regexp_matches(word, '[\\[*(]|^-?[0-9.,:/ -]+$')) as earlier,
             (select list({'word': word, 'folded': sqlanon._folded(word)} order by word) from word_here
              where word not in (from word_there) and not regexp_matches(word, '^-?[0-9.,:/ -]+$')) as now`);
    if (!earlier?.length || !now?.length || earlier.length > MOST || now.length > MOST) continue;
    found.push({ column, earlier: earlier.map(({ word }) => word), now: now.map(({ word }) => word), pairs: pairsOf(earlier, now) });
  }
  return found;
}

// Words that begin alike, or the only one of each side.
function pairsOf(earlier, now) {
  const left = [...now], pairs = [];
  for (const there of earlier) {
    const i = left.findIndex(({ folded }) => there.folded.startsWith(folded) || folded.startsWith(there.folded));
    if (i >= 0) pairs.push([there.word, left.splice(i, 1)[0].word]);
  }
  const unpaired = earlier.filter(({ word }) => !pairs.some(([each]) => each === word));
  return unpaired.length === 1 && left.length === 1 ? [...pairs, [unpaired[0].word, left[0].word]] : pairs;
}

// What makes the table earlier, with the words that somebody has said are the same: by column, a map.
export function earlierWithWords(said) {
  const replaced = [...said].filter(([, words]) => words.size).map(([column, words]) => {
    const name = identifier(column);
    const when = [...words].map(([there, here]) => `when ${literal(there)} then ${literal(here)}`).join(" ");
    return `case when ${name} like '{%}' then '{' || list_aggregate(list_transform(string_split(${name}[2:-2], ', '), ` +
      `lambda word: case trim(word) ${when} else word end), 'string_agg', ', ') || '}' ` +
      `else case sqlanon._trimmed(${name}) ${when} else ${name} end end as ${name}`;
  });
  return `create or replace table earlier as select *${replaced.length ? ` replace (${replaced.join(", ")})` : ""} from earlier_as_read`;
}
