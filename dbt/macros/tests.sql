{#- The smallest class of a table has k rows at least. -#}
{% test k_anonymous(model, qi, k, weight=none) %}
select * from {{ sqlanon.call('violations', model, qi=qi, k=k, weight=weight) }}
{% endtest %}

{#- Every class meets what is required: k, l, entropy_l, recursive_c, alpha, t, beta and so on, as violations
    has them. -#}
{% test violations(model, qi, sensitive=none) %}
select * from {{ sqlanon.call('violations', model, qi=qi, sensitive=sensitive, **kwargs) }}
{% endtest %}

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
