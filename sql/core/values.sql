-- Values: how those of different tables compare, whose columns may have different types.
--
-- 250, 250.0 and 250.00 are one number, and a date is the timestamp of its midnight, in whatever types two
-- tables have them. But the texts 250.0 and 250.00 are two texts (codes of diseases, say). So the types of
-- the columns decide: if one of the tables has numbers, the texts of the other are read as numbers; if both
-- have text, they compare as texts. To compare such texts as numbers, cast one of the columns.
--
-- Every value has a key, a text. Keys are equal where values are, and sort as the values do: exactly, of
-- any size.

-- What values of a type are: 1 numbers, 2 points in time, 4 those with a time zone, 5 times of day, 6
-- those with a time zone, 7 spans of time, 8 truth values, 9 UUIDs; NULL: anything else, which is text. (3
-- is a text among others; 0 is NULL. Texts compare as they are written, unless their kind is 10, as people
-- read them, or 11, as they are written but for missing ones, which are one: sql/core/spellings.sql.)
create or replace macro sqlanon._kind_of_type(type_name) as
    case when regexp_matches(
                  type_name,
                  '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL.*|FLOAT|DOUBLE|BIGNUM|VARINT)$')
         then 1
         when regexp_matches(type_name, '^(DATE|TIMESTAMP.*)$')
         then case when type_name like '%TIME ZONE' then 4 else 2 end
         when type_name in ('TIME', 'TIME_NS') then 5
         when type_name = 'TIME WITH TIME ZONE' then 6
         when type_name = 'INTERVAL' then 7
         when type_name = 'BOOLEAN' then 8
         when type_name = 'UUID' then 9
    end;

-- Numbers and points in time.
create or replace macro sqlanon._is_respelled(type_name) as
    coalesce(sqlanon._kind_of_type(type_name) in (1, 2, 4), false);

-- The kind of what a release has: a STRUCT(lo, hi) and a LIST are of what they hold.
create or replace macro sqlanon._kind_of_released(type_name) as
    sqlanon._kind_of_type(
        regexp_replace(
            regexp_replace(type_name, '^STRUCT\("?lo"? (.*), "?hi"? .*\)$', '\1'),
            '\[\]$', ''));

-- As what the columns of two tables compare. Those with and without a time zone do as DuckDB compares
-- them: in the time zone of the session. What has nothing in common (numbers and dates) does not compare;
-- one of the kinds is as good as the other.
create or replace macro sqlanon._common_kind(one, other) as
    case when one is null or other is null then coalesce(one, other)
         when one in (2, 4) and other in (2, 4) then greatest(one, other)
         when one in (5, 6) and other in (5, 6) then greatest(one, other)
         else one
    end;

-- Texts that differ by case, blanks or accents alone are spelled alike.
create or replace macro sqlanon._spelled_alike(string) as
    regexp_replace(lower(strip_accents(nfc_normalize(string))), '[\s_.\-]+', '', 'g');

-- How texts spell these.
create or replace macro sqlanon._spells_number(string) as
    regexp_matches(string, '^ *[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)? *$')
    or regexp_matches(string, '^ *[-+]?(inf(inity)?|nan) *$', 'i');
create or replace macro sqlanon._spells_infinity(string) as
    regexp_matches(string, '^ *[-+]?inf(inity)? *$', 'i');
create or replace macro sqlanon._has_zone(string) as
    regexp_matches(string, ':\d.*([+-]\d|[A-Za-z]\s*$)') and not contains(string, '(BC)');

-- The kind of a text of which no type tells: 0 is NULL.
create or replace macro sqlanon._kind(string) as
    case when string is null then 0
         when sqlanon._spells_number(string) then 1
         when not regexp_matches(string, '^\s*[-+]?\d') then 3
         when regexp_matches(string, '^\s*\d+[-/ ]\d+[-/ ]\d+')
              and (try_cast(string as timestamp) is not null or try_cast(string as date) is not null)
         then case when sqlanon._has_zone(string) then 4 else 2 end
         when regexp_matches(string, '^\s*\d{1,2}:\d\d') and try_cast(string as time) is not null
         then case when sqlanon._has_zone(string) then 6 else 5 end
         when regexp_matches(string, '^\s*[-+]?\d+ (year|mon|day|hour|min|sec)', 'i')
              and try_cast(string as interval) is not null
         then 7
         else 3
    end;

-- The key of a number from its text: sign, exponent and digits, complements of them below 0. -infinity <
-- -1 < 0 < 1 < infinity < NaN.
create or replace macro sqlanon._number_key(string) as
    case when contains(lower(string), 'nan') then '5'
         when contains(lower(string), 'inf') then case when contains(string, '-') then '0' else '4' end
         else sqlanon._let(
             sqlanon._let(
                 sqlanon._let(lower(trim(string)), lambda spelled: {
                     'below_0': spelled[1] = '-',
                     'whole': ltrim(split_part(split_part(spelled, 'e', 1), '.', 1), '+-0'),
                     'fraction': split_part(split_part(spelled, 'e', 1), '.', 2),
                     'shift': sqlanon._exponent(spelled)}),
                 lambda number: {
                     'below_0': number.below_0,
                     'digits': trim(number.whole || number.fraction, '0'),
                     'point': 5000000000
                         + case when number.below_0 then -1 else 1 end
                           * (number.shift
                              + case when number.whole <> '' then length(number.whole)
                                     else length(ltrim(number.fraction, '0')) - length(number.fraction)
                                end)}),
             lambda number:
                 case when number.digits = '' then '2'
                      when number.below_0
                      then '1' || number.point || translate(number.digits, '0123456789', '9876543210') || '~'
                      else '3' || number.point || number.digits
                 end)
    end;
create or replace macro sqlanon._exponent(spelled) as
    case when contains(spelled, 'e')
         then coalesce(try_cast(split_part(spelled, 'e', 2) as integer)::bigint,
                       case when contains(spelled, 'e-') then -2000000000 else 2000000000 end)
         else 0
    end;

-- Points in time as numbers: nanoseconds; of a DATE that no TIMESTAMP holds (there are more) those of its
-- days.
create or replace macro sqlanon._nanoseconds(string, microseconds) as
    case when sqlanon._spells_infinity(string) then string
         else coalesce(
             microseconds::hugeint * 1000
             + coalesce(
                 try_cast(rpad(nullif(regexp_extract(string, '\.\d{6}(\d{1,3})', 1), ''), 3, '0') as integer),
                 0),
             datediff('day', date '1970-01-01', try_cast(string as date))::hugeint * 86400000000000)::varchar
    end;
-- Times of day by the time in Greenwich, in microseconds.
create or replace macro sqlanon._greenwich_time(moment) as
    (epoch_us(moment) - date_part('timezone', moment) * 1000000)::bigint::varchar;
-- A month is 30 days, and a day 24 hours.
create or replace macro sqlanon._span(span) as
    (((date_part('year', span) * 12 + date_part('month', span)) * 30 + date_part('day', span))::hugeint
         * 86400000000
     + date_part('hour', span)::hugeint * 3600000000
     + date_part('minute', span) * 60000000
     + date_part('microsecond', span))::varchar;

-- The key of a text that is read as one of a kind: NULL where it is not one of these.
create or replace macro sqlanon._key_of(string, kind) as
    case when kind = 3 then string
         when kind = 8
         then case when regexp_matches(string, '^ *(true|t) *$', 'i') then 'true'
                   when regexp_matches(string, '^ *(false|f) *$', 'i') then 'false'
              end
         when kind = 9 then try_cast(string as uuid)::varchar
         else sqlanon._let(
                  case
                      when kind = 1 then case when sqlanon._spells_number(string) then string end
                      when kind in (2, 4)
                      then sqlanon._nanoseconds(
                               string,
                               case when kind = 4 then epoch_us(try_cast(string as timestamptz))
                                    when sqlanon._has_zone(string)
                                    then epoch_us(try_cast(string as timestamptz)::timestamp)
                                    else epoch_us(try_cast(string as timestamp))
                               end)
                      when kind = 5 then epoch_us(try_cast(string as time))::varchar
                      when kind = 6 then sqlanon._greenwich_time(try_cast(string as timetz))
                      when kind = 7 then case when regexp_matches(string, '[a-z:]', 'i')
                                              then sqlanon._span(try_cast(string as interval))
                                         end
                  end,
                  lambda number: sqlanon._number_key(number))
              -- at the same time by time zone, as DuckDB does
              || case when kind = 6
                      then ',' || lpad((100000 - date_part('timezone', try_cast(string as timetz)))::varchar,
                                       6, '0')
                      else ''
                 end
    end;
create or replace macro sqlanon._key(string, kind) as kind::varchar || sqlanon._key_of(string, kind);

-- The key of a bound, to be compared with values of a kind: no text lies below a number.
create or replace macro sqlanon._bound_key(string, kind) as
    case when kind <> 3 or sqlanon._kind(string) = 3 then sqlanon._key(string, kind) end;

-- The key of a value as its column compares: of what is not of the column's kind, that of a text.
create or replace macro sqlanon._comparable(string, kind) as
    case when kind = 10 then '3' || sqlanon._folded(string)
         when kind = 11 then '3' || sqlanon._unless_missing(string)
         else coalesce(sqlanon._key(string, kind), '3' || string) end;

-- As what columns of two tables compare that have different types: a list of kinds (NULL: as the texts that
-- they are). own, other: their types.
create or replace macro sqlanon._kinds_if_different(own, other) as
    list_transform(own, lambda type_name, nth_type:
        case when type_name <> other[nth_type]
             then sqlanon._common_kind(
                      sqlanon._kind_of_type(type_name), sqlanon._kind_of_type(other[nth_type])) end);

-- Texts of a row, equal where the values of both tables are. kinds: as above.
create or replace macro sqlanon._compared_texts(texts, kinds) as
    list_transform(texts, lambda said, nth_text:
        case when kinds[nth_text] is null then said else sqlanon._comparable(said, kinds[nth_text]) end);
