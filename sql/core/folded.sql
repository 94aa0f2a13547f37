-- Folded: what people read as one value is one value.
--
-- "flu", "flu " and "Flu" are three texts, and one diagnosis; "P1" and "p1" are one patient. Spellings are
-- different values whose folded one is the same. What leaves a table is never folded unless somebody asks for
-- it: folded values are what diversity, people and candidates are counted by.

-- What Unicode has of blanks, dashes and quotes, and characters that nobody sees: zero-width ones, the soft
-- hyphen, and the mark at the beginning of a file.
create or replace macro sqlanon._blanks() as
    chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31)
    || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196)
    || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233)
    || chr(8239) || chr(8287) || chr(12288) || chr(10240);
create or replace macro sqlanon._dashes() as
    chr(8208) || chr(8209) || chr(8210) || chr(8211) || chr(8212) || chr(8213) || chr(8722) || chr(8259)
    || chr(1418) || chr(11834) || chr(11835) || chr(12316) || chr(65112) || chr(65123) || chr(65293);
create or replace macro sqlanon._quotes() as
    '"`´‘’‚‛“”„‟«»‹›′″‵‶ʹʺʻʼʽˈ＂＇';
create or replace macro sqlanon._invisible() as
    chr(173) || chr(847) || chr(1564) || chr(6158) || chr(8203) || chr(8204) || chr(8205) || chr(8206)
    || chr(8207) || chr(8234) || chr(8235) || chr(8236) || chr(8237) || chr(8238) || chr(8288) || chr(8294)
    || chr(8295) || chr(8296) || chr(8297) || chr(65279);

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

-- Müller, Mueller and Muller are one: of words, ae is a, oe is o and ue is u. (AE and A, or AE12 and A12, are
-- two codes.)
create or replace macro sqlanon._without_umlauts(string) as
    case when length(string) < 4 or regexp_matches(string, '[0-9]') then string
         else regexp_replace(string, '([aou])e+', '\1', 'g') end;

-- The folded text of a value: without accents, in lower case and in composed form (NFC), trimmed, with every
-- kind of dash as "-" and every kind of quote as an apostrophe. Nothing else is removed: A- is not A. NULL
-- where a value is missing: NULL, an empty text, or blanks alone.
create or replace macro sqlanon._folded(string) as
    nullif(
        sqlanon._without_umlauts(sqlanon._without_accents(lower(nfc_normalize(
            translate(sqlanon._trimmed(string), sqlanon._dashes() || sqlanon._quotes(),
                      repeat('-', length(sqlanon._dashes())) || repeat('''', length(sqlanon._quotes()))))))),
        '');
