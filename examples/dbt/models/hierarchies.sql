-- A hierarchy as people have it in a spreadsheet, a column per level, as the macros read it.
select * from {{ sqlanon.call('wide_hierarchy', ref('diagnoses'), attribute='diagnosis') }}
