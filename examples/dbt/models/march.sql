-- What was published last time: it is out, and counts.
{{ sqlanon.release('mondrian', ref('patients'), qi=['age', 'zip'], sensitive='diagnosis', k=20, l=4,
                   seed=1) }}
