-- Keyed hashes: HMAC (Krawczyk, Bellare and Canetti 1997, RFC 2104) with SHA-256, and the pseudonyms that
-- they make of keys.
--
-- A pseudonym joins the tables of one release, and no others: the name of the release is hashed with the key
-- to a key of its own. Who has the key can try values out, so no statement holds it: it is in a variable of
-- the session, which macros read by its name.

-- A text as its bytes, and bytes as they are.
create or replace macro sqlanon._bytes(value) as
    case when typeof(value) = 'BLOB' then value::blob else encode(value::varchar) end;

-- A key as HMAC takes it: a block of 64 bytes, filled up with zeros; the hash of a longer one.
create or replace macro sqlanon._key_block(key) as
    sqlanon._let(
        case when octet_length(key) > 64 then unhex(sha256(key)) else key end,
        lambda short_key: short_key || unhex(repeat('00', (64 - octet_length(short_key))::integer)));

-- A block with each byte changed by another one, in hexadecimal digits.
create or replace macro sqlanon._padded_block(block, digits) as
    xor(block::bit, unhex(repeat(digits, 64))::bit)::blob;

create or replace macro sqlanon.hmac_sha256(key, message) as
    sha256(sqlanon._padded_block(sqlanon._key_block(sqlanon._bytes(key)), '5c')
           || unhex(sha256(sqlanon._padded_block(sqlanon._key_block(sqlanon._bytes(key)), '36')
                           || sqlanon._bytes(message))));

comment on macro sqlanon.hmac_sha256 is $$
Hashes a message with a secret key: HMAC with SHA-256, in 64 hexadecimal digits. Without the key nobody can
find out by trying which message a hash is of.

Parameters:
- key (value): the key, as bytes or text.
- message (value): what is hashed: bytes as they are, anything else as text. NULL stays NULL.

Result:
- hash (text): the hash.

Notes: a key that is written in a statement can end up in logs and histories. Keep it in a variable of the
session, as pseudonym does.

Source: Krawczyk, Bellare and Canetti 1997 (RFC 2104); test cases of RFC 4231.

Example:
select sqlanon.hmac_sha256('Jefe', 'what do ya want for nothing?') as hash;
$$;

-- The secret key in a variable of the session, as bytes, or an error that shows none of it.
create or replace macro sqlanon._secret_key(variable) as
    case when getvariable(variable) is null
         then error('this needs a secret key in the variable ' || variable || ' of the session, such as '
                    || 'SET VARIABLE ' || variable || ' = (SELECT content FROM read_blob(''key.txt''))')::blob
         when octet_length(sqlanon._bytes(getvariable(variable))) < 16
         then error('the key in the variable ' || variable || ' has less than 16 bytes: make one with '
                    || '`openssl rand -hex 32`')::blob
         else sqlanon._bytes(getvariable(variable))
    end;

-- A key for one purpose, as bytes: from none of them can another one be worked out.
create or replace macro sqlanon._key_for(purpose, release, variable) as
    unhex(sqlanon.hmac_sha256(
        sqlanon._secret_key(variable),
        purpose || ' ' || case when sqlanon._trimmed(release::varchar) <> '' then release::varchar
                               else error('release must be a name, not an empty text') end));

-- What a key is read as: its spellings (P1, p1 and "P1 ") are one, and a missing one is NULL.
create or replace macro sqlanon._key_text(value) as
    case when typeof(value) = 'VARCHAR' then sqlanon._folded(value::varchar) else value::varchar end;

create or replace macro sqlanon.pseudonym(value, release, key := 'sqlanon_key') as
    sqlanon.hmac_sha256(sqlanon._key_for('pseudonym', release, key), sqlanon._key_text(value));

comment on macro sqlanon.pseudonym is $$
Replaces a key, such as the number of a patient, by a pseudonym: a keyed hash of 64 hexadecimal digits. The
same key becomes the same pseudonym in all tables of a release, so that they still join. In another release it
becomes another one.

Parameters:
- value (value): the key. Spellings of a text (P1, p1 and "P1 ") get one pseudonym. NULL, an empty text and
  blanks stay NULL.
- release (text): the name of the release.
- key (text; default 'sqlanon_key'): the name of a variable of the session that has the secret key, such as
  SET VARIABLE sqlanon_key = (SELECT content FROM read_blob('key.txt')).

Result:
- pseudonym (text): the pseudonym.

Errors: the session has no such variable, or a key of less than 16 bytes; release is empty or NULL.

Notes: a pseudonym does not make a table anonymous: it shows which rows of all tables that it joins are one
person's. A key that several people share, such as that of a doctor, is a quasi-identifier under any
pseudonym.
Never write the secret key itself in a statement, where logs and histories keep it. EXPLAIN can print what
DuckDB makes of it. Numbers and texts of the same digits get the same pseudonym; numbers that are written
differently (1 and 1.0) get different ones.

Example:
select sqlanon.pseudonym('p1', release := 'spring', key := 'sqlanon_key') as pseudonym;
$$;
