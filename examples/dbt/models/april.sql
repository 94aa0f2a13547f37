-- Published: dbt makes it only if all tests of april_staged pass.
select * from {{ ref('april_staged') }}
