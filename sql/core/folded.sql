-- Folded: what people read as one value is one value.
--
-- "flu", "flu " and "Flu" are three texts, and one diagnosis; "P1" and "p1" are one patient. Spellings are
-- different values whose folded one is the same. Released values are not folded unless the caller wants it.
-- Folded values serve to count diversity, people and candidates.

-- What Unicode has of blanks, dashes and quotes, and characters that nobody sees: zero-width ones, the soft
-- hyphen, and the mark at the beginning of a file. (As UTF-8: what nobody sees nobody could mend here.)
create or replace macro sqlanon._blanks() as
    decode((
        '\x09\x0A\x0B\x0C\x0D\x1C\x1D\x1E\x1F\xC2\x85\xC2\xA0\xE1\x9A\x80\xE2\x80\x80\xE2\x80\x81'
        || '\xE2\x80\x82\xE2\x80\x83\xE2\x80\x84\xE2\x80\x85\xE2\x80\x86\xE2\x80\x87\xE2\x80\x88\xE2'
        || '\x80\x89\xE2\x80\x8A\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAF\xE2\x81\x9F\xE3\x80\x80\xE2\xA0'
        || '\x80')::blob);
create or replace macro sqlanon._dashes() as
    decode((
        '\xE2\x80\x90\xE2\x80\x91\xE2\x80\x92\xE2\x80\x93\xE2\x80\x94\xE2\x80\x95\xE2\x88\x92\xE2'
        || '\x81\x83\xD6\x8A\xE2\xB8\xBA\xE2\xB8\xBB\xE3\x80\x9C\xEF\xB9\x98\xEF\xB9\xA3\xEF\xBC\x8D')::blob);
create or replace macro sqlanon._quotes() as
    '"`´‘’‚‛“”„‟«»‹›′″‵‶ʹʺʻʼʽˈ＂＇';
create or replace macro sqlanon._invisible() as
    decode((
        '\xC2\xAD\xCD\x8F\xD8\x9C\xE1\xA0\x8E\xE2\x80\x8B\xE2\x80\x8C\xE2\x80\x8D\xE2\x80\x8E\xE2'
        || '\x80\x8F\xE2\x80\xAA\xE2\x80\xAB\xE2\x80\xAC\xE2\x80\xAD\xE2\x80\xAE\xE2\x81\xA0\xE2\x81'
        || '\xA6\xE2\x81\xA7\xE2\x81\xA8\xE2\x81\xA9\xEF\xBB\xBF')::blob);

-- A text without blanks at its ends, and with one blank for each run of them.
create or replace macro sqlanon._trimmed(string) as
    trim(regexp_replace(translate(string, sqlanon._blanks() || sqlanon._invisible(),
                                  repeat(' ', length(sqlanon._blanks()))), ' {2,}', ' ', 'g'));

-- Letters without accents, from lower case. Marks of alphabets other than the Latin and Greek stay, as there
-- they make other letters.
create or replace macro sqlanon._without_accents(string) as
    sqlanon._let(
        replace(replace(replace(string, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'),
        lambda written: replace(replace(replace(
            translate(
                case when regexp_matches(written, '[^\x{0}-\x{3FF}\x{1E00}-\x{1FFF}\x{2000}-\x{2BFF}]')
                     then written else strip_accents(written) end,
                'øłđðħŧıſµ', 'olddhtisμ'),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'));

-- Müller, Mueller and Muller are one: of words, ae is a, oe is o and ue is u.
create or replace macro sqlanon._with_plain_vowels(string) as
    regexp_replace(string, '([aou])e+', '\1', 'g');

-- The same, but in what may be a code: AE and A are two codes, and so are AE12 and A12.
create or replace macro sqlanon._without_umlauts(string) as
    case when length(string) < 4 or regexp_matches(string, '[0-9]') or not contains(string, 'e') then string
         else sqlanon._with_plain_vowels(string) end;

-- The folded text of a value: without accents, in lower case and in composed form (NFC), trimmed, with every
-- kind of dash as "-" and every kind of quote as an apostrophe. Nothing else is removed: A- is not A. NULL
-- where a value is missing: NULL, an empty text, or blanks alone. (Most texts are plain: of these case and
-- umlauts are all there is, which takes a tenth of the time.)
create or replace macro sqlanon._folded(string) as
    sqlanon._let(
        case when regexp_full_match(string, '[!#-_a-~]+( [!#-_a-~]+)*') then lower(string)
             else nullif(
                 sqlanon._without_accents(lower(nfc_normalize(
                     translate(sqlanon._trimmed(string), sqlanon._dashes() || sqlanon._quotes(),
                               repeat('-', length(sqlanon._dashes()))
                               || repeat('''', length(sqlanon._quotes())))))),
                 '')
        end,
        lambda lettered: sqlanon._without_umlauts(lettered));
