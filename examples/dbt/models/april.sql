-- What others read: made only if all tests of april_staged pass, and those of what it is made from. `after`
-- names what these tests read besides.
{{ sqlanon.published(ref('april_staged'), after=[ref('march'), ref('hierarchies')]) }}
