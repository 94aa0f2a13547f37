"""The experiment of Ganta, Kasiviswanathan and Smith, repeated.

Composition Attacks and Auxiliary Information in Data Privacy, KDD 2008.

`data` knows their two data sets, `plan` what is run on them, `runs` and `randomized` how, `runner` runs it,
`work` keeps what is done, `results` makes the figures' and tables' numbers of it, `paper` has the paper's
numbers, `charts` and `page` show both.
"""
