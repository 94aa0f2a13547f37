-- What is to be published next: made with regard to what is out, tested and attacked before anybody reads it.
{{ sqlanon.release('mondrian', ref('patients'), qi=['age', 'zip'], sensitive='diagnosis', k=5, l=3,
                   known=[ref('march')], composed_l=2, seed=2) }}
