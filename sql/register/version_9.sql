-- The register of releases, version 9: what exact answers have shown not to be known.

alter table answers add column moves blob;
comment on column answers.moves is
'Of exact answers, which people may change places, get values of each other, come or leave, without that any
told number changes: numbers in an order by hashes with the key of this register, no values. NULL: none.';
