{#- A macro of sqlanon as a relation: sqlanon.call('mondrian', ref('patients'), qi=['age', 'zip'], k=5).

    Relations and texts become texts, lists lists, dictionaries maps; none is left out. The names and defaults
    of parameters are those of the macro: from sqlanon.help('mondrian'). -#}
{%- macro call(name, first) -%}
sqlanon.{{ name }}({{ sqlanon.literal(first) }}
{%- for parameter, value in kwargs.items() if value is not none -%}
  , {{ parameter }} := {{ sqlanon.literal(value) }}
{%- endfor -%})
{%- endmacro %}

{#- A value as SQL has it: a relation as its name, a dictionary as a map. -#}
{%- macro literal(value) -%}
{%- if value is none -%} null
{%- elif value is boolean -%} {{ value | lower }}
{%- elif value is number -%} {{ value }}
{%- elif value is string or value.identifier is defined -%}
  '{{ (value | string).replace("'", "''") }}'
{%- elif value is mapping -%} map { {%- for key, each in value.items() -%}
  {{ sqlanon.literal(key) }}: {{ sqlanon.literal(each) }}{{ ', ' if not loop.last }}{%- endfor -%} }
{%- else -%} [{% for each in value %}{{ sqlanon.literal(each) }}{{ ', ' if not loop.last }}{% endfor %}]
{%- endif -%}
{%- endmacro %}

{#- A model that is a release: {{ sqlanon.release('mondrian', ref('patients'), qi=['age', 'zip'], k=5) }} -#}
{%- macro release(method, source) -%}
select * from {{ sqlanon.call(method, source, **kwargs) }}
{%- endmacro %}
