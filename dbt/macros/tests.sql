{#- The smallest class of a table has k rows at least. -#}
{% test k_anonymous(model, qi, k, weight=none) %}
select * from {{ sqlanon.call('violations', model, qi=qi, k=k, weight=weight) }}
{% endtest %}

{#- Every class meets what is required: k, l, entropy_l, recursive_c, alpha, t, beta and so on, as violations
    has them. -#}
{% test violations(model, qi, sensitive=none) %}
select * from {{ sqlanon.call('violations', model, qi=qi, sensitive=sensitive, **kwargs) }}
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
    table with raw values. Of most_certain percent of them at most, one value may be all that is left. It
    does not hold either if somebody is not found, or values are released that nobody understands. -#}
{% test no_composition(model, previous, targets, id, qi, sensitive, most_certain=0, hierarchies=none) %}
with measured as (
    from {{ sqlanon.call('breaches', previous + [model], targets=targets, id=id, qi=qi, sensitive=sensitive,
                         hierarchies=hierarchies) }}
)
select id, measure, value, unit from measured
where (id = 'pvp_100' and value > {{ most_certain }})
   or (id = 'located_in_all' and value < 100)
   or (id in ('unread_rows', 'contradictions') and value > 0)
{% endtest %}
