{#- The smallest class of a table has k rows at least. unit, original, unchanged: as of violations. -#}
{% test k_anonymous(model, qi, k, weight=none, unit=none, original=none, unchanged=none, hierarchies=none) %}
{{ sqlanon.violated(model, qi, none, unit, original, unchanged,
                    {'k': k, 'weight': weight, 'hierarchies': hierarchies}) }}
{% endtest %}

{#- Every class meets what is required: k, l, entropy_l, recursive_c, alpha, t, beta and so on, as violations
    has them. unit: the column that says whose a row is, where people may have several. A model without this
    column does not say it: then nobody knows whether people are as many as is required, unless `original`,
    the model with the raw rows, tells. unchanged: further columns of both that left unchanged. -#}
{% test violations(model, qi, sensitive=none, unit=none, original=none, unchanged=none) %}
{{ sqlanon.violated(model, qi, sensitive, unit, original, unchanged, kwargs) }}
{% endtest %}

{#- That a test counts rows, or does not know, is logged: dbt does not show what a test returns. -#}
{%- macro violated(model, qi, sensitive, unit, original, unchanged, required) -%}
{%- if unit is none and execute -%}
{%- do log(model ~ ' is tested by rows: where people may have several, name unit, which says whose a row is',
           info=true) -%}
{%- endif -%}
{%- if unit is none or sqlanon.has_column(model, unit) -%}
select * from {{ sqlanon.call('violations', model, qi=qi, sensitive=sensitive, unit=unit, **required) }}
{%- elif original is none -%}
{%- set reason = 'people may have several rows (' ~ unit ~ '), and the model does not say whose its '
               ~ 'rows are: give original, the model with the raw rows' -%}
{%- do log('not known of ' ~ model ~ ': ' ~ reason, info=true) -%}
select 'not known' as verdict, {{ sqlanon.literal(reason) }} as reason
{%- else -%}
{%- set kept = ([sensitive] if sensitive is string else (sensitive or []))
             + ([unchanged] if unchanged is string else (unchanged or [])) -%}
{%- set hierarchies = required.get('hierarchies') -%}
with sqlanon_counted as materialized (
    from {{ sqlanon.call('people_in_classes', model, original=original, qi=qi, unit=unit,
                         unchanged=kept or none, hierarchies=hierarchies) }}
),
sqlanon_every as materialized (select bool_and(is_counted) as is_counted from sqlanon_counted),
sqlanon_released as materialized (
    from sqlanon._released_with_unit(
        {{ sqlanon.literal(model) }}, {{ sqlanon.literal(original) }}, {{ sqlanon.literal(qi) }},
        {{ sqlanon.literal(unit) }}, {{ sqlanon.literal(kept or none) }}, {{ sqlanon.literal(hierarchies) }})
)
select 'fails' as verdict,
       concat_ws(' ', model, 'of', coalesce(sensitive, 'people'), 'reaches', reached, 'of', required)
           as reason,
       class::varchar as class
from {{ sqlanon.call('violations', 'sqlanon_released', qi=qi, sensitive=sensitive, unit=unit, **required) }}
where (select is_counted from sqlanon_every)
{%- if required.get('k') is not none %}
union all
select if(most < {{ required['k'] }}, 'fails', 'not known'),
       concat_ws(' ', 'at least', coalesce(least, 0), 'and at most', coalesce(most, size), 'people'),
       class::varchar
from sqlanon_counted
where coalesce(least, 0) < {{ required['k'] }} and not (select is_counted from sqlanon_every)
{%- endif %}
{%- for name, value in required.items()
    if value is not none and name not in ('k', 'hierarchies', 'weight', 't_distance') %}
union all
select 'not known', {{ sqlanon.literal(name ~ ': not all rows of the original are told apart') }}, null
from sqlanon_every where not is_counted
{%- endfor %}
{%- endif -%}
{%- endmacro -%}

{#- People are as alike over several tables as is required: k counts people who have the same rows in all of
    them. The model has a row per person; tables names the others: {stay: ref('stays')}. unit, joins, qi,
    sensitive, dates: as of person_values, where the model is called what stands before the point in unit.
    Other parameters are those of violations. -#}
{% test people_alike(model, tables, unit, joins, qi, sensitive=none, dates=none) %}
{%- set named = [model ~ ' as ' ~ unit.split('.')[0]] -%}
{%- for name, table in tables.items() %}{% do named.append(table ~ ' as ' ~ name) %}{% endfor -%}
{%- set macro, values = ('person_classes', none) if sensitive is none else ('person_values', 'sensitive') -%}
{%- set more = {} if sensitive is none else {'sensitive': sensitive} -%}
with sqlanon_people as materialized (
    from {{ sqlanon.call(macro, named, unit=unit, joins=joins, qi=qi, dates=dates, **more) }}
)
select * from {{ sqlanon.call('violations', 'sqlanon_people', qi='class_id', unit='person', sensitive=values,
                              **kwargs) }}
{% endtest %}

{#- Does a model have a column? -#}
{%- macro has_column(model, column) -%}
{%- if execute -%}
{%- set names = adapter.get_columns_in_relation(model) | map(attribute='name') | map('lower') | list -%}
{{ return(column | lower in names) }}
{%- endif -%}
{{ return(true) }}
{%- endmacro %}

{#- Every cell of a table of counts or sums, as table_cells makes it, is safe: threshold, dominance, p,
    response and so on, as unsafe_cells has them. Its rows are the cells, and the rules that they break. -#}
{% test safe_cells(model, dimensions) %}
select * from {{ sqlanon.call('unsafe_cells', model, dimensions=dimensions, **kwargs) }}
{% endtest %}

{#- A table has no columns but these. -#}
{% test only_columns(model, columns) %}
select column_name
from (describe select * from {{ model }})
where lower(column_name) not in (
    {%- for column in columns %}lower({{ sqlanon.literal(column) }}){{ ', ' if not loop.last }}{% endfor %})
{% endtest %}

{#- Every value of a column is in its hierarchy, a table of attribute, value, level, label. -#}
{% test hierarchy_complete(model, column_name, hierarchy) %}
select distinct {{ column_name }}::varchar as lacking
from {{ model }} as source
where not exists (
    from {{ hierarchy }} as entry
    where lower(entry.attribute) = lower({{ sqlanon.literal(column_name) }})
      and entry.value is not distinct from source.{{ column_name }}::varchar)
{% endtest %}

{#- What a release and previous ones (a list) give away together: an attack on everybody in `targets`, the
    table with raw values. Of most_certain percent of them at most, one value may be all that is left; or
    `tolerated` bounds other measures ({'sure_90': 1}). Its rows have a verdict, which fails or is not known,
    and why. Other parameters are those of composition_verdicts: presence (columns of targets that say who is
    in which release, in the order of `previous` and this one), unit, hierarchies, formats, ... -#}
{% test no_composition(model, previous, targets, id, qi, sensitive, most_certain=0, tolerated=none) %}
select sensitive, id, value, unit, people, tolerated, verdict, reason
from {{ sqlanon.call('composition_verdicts', previous + [model], targets=targets, id=id, qi=qi,
                     sensitive=sensitive,
                     tolerated={'pvp_100': most_certain} if tolerated is none else tolerated, **kwargs) }}
where verdict <> 'holds'
{% endtest %}
