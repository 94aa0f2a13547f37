{#- The model that others read: the rows of a staged one, once its tests pass.

    {{ sqlanon.published(ref('april_staged'), after=[ref('march')]) }}

    dbt makes a model after a test only if all that the test reads is upstream of the model. A test such as
    no_composition reads more than the staged model: the releases before, the people, a hierarchy. `after`
    names these. It fails, and names what lacks, where a test of the staged model or one of this package could
    not stop this model. -#}
{%- macro published(staged, after=[]) -%}
{%- if execute -%}{%- do sqlanon.check_order(staged) -%}{%- endif -%}
-- Published once all tests of {{ staged }} pass
{%- for each in after %}, also those that read {{ each }}{% endfor %}.
select * from {{ staged }}
{%- endmacro %}

{#- What a node is made from, directly or not, models, seeds, snapshots and sources: a list with itself. -#}
{%- macro upstream(node, found=none) -%}
{%- set found = [] if found is none else found -%}
{%- if node not in found -%}
  {%- do found.append(node) -%}
  {%- for parent in graph.nodes.get(node, {}).get('depends_on', {}).get('nodes', []) -%}
    {%- do sqlanon.upstream(parent, found) -%}
  {%- endfor -%}
{%- endif -%}
{%- do return(found) -%}
{%- endmacro %}

{#- Nothing, or an error if a test reads what the model that is compiled does not wait for, so that dbt would
    make it without regard to that test: a test of the staged model, or one of this package upstream. -#}
{%- macro check_order(staged) -%}
{%- set before = sqlanon.upstream(model.unique_id) | reject('equalto', model.unique_id) | list -%}
{%- set lacking = [] -%}
{%- set unheard = [] -%}
{%- for test in graph.nodes.values() if test.resource_type == 'test' -%}
  {%- set tested = [test.attached_node] if test.get('attached_node') else test.depends_on.nodes -%}
  {%- set is_ours = (test.get('test_metadata') or {}).get('namespace') == 'sqlanon' -%}
  {%- for name in tested if name in before
        and (is_ours or graph.nodes.get(name, {}).get('relation_name') == staged | string) -%}
    {%- for read in test.depends_on.nodes if read not in before -%}
      {%- do lacking.append(read) if read not in lacking -%}
      {%- do unheard.append(test.name) if test.name not in unheard -%}
    {%- endfor -%}
  {%- endfor -%}
{%- endfor -%}
{%- if lacking -%}
  {%- do exceptions.raise_compiler_error(
      model.name ~ ' would be published though these tests fail, as it does not wait for what they read: '
      ~ unheard | join(', ') ~ '. Name in after, as in after=[ref(...)]: ' ~ lacking | join(', ')) -%}
{%- endif -%}
{%- endmacro %}
