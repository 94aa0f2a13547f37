{#- Keys of people as pseudonyms, which join within a release and not with others, and dates that are shifted
    by an offset per person. Both are made with a secret key, which a model reads before it is built:
    {{ config(pre_hook=sqlanon.secret_key('key.txt')) }}. The model must be a table: a view would be made anew
    by whoever reads it, without the key. -#}
{%- macro pseudonym(column, release) -%}
sqlanon.pseudonym({{ column }}, release := {{ sqlanon.literal(release) }})
{%- endmacro %}

{%- macro shifted(column, person, release, whole_weeks=false) -%}
sqlanon.shift_dates({{ column }}, person := {{ person }}, release := {{ sqlanon.literal(release) }},
                    whole_weeks := {{ whole_weeks | lower }})
{%- endmacro %}

{#- The key is in a file, so that no compiled model and no log has it. -#}
{%- macro secret_key(file) -%}
set variable sqlanon_key = (select trim(content) from read_text({{ sqlanon.literal(file) }}))
{%- endmacro %}
