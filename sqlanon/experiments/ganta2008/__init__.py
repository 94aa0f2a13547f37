"""The experiment of Ganta, Kasiviswanathan and Smith 2008 (Composition Attacks and Auxiliary Information in Data Privacy, KDD), repeated.

`data` knows their two data sets, `plan` what is run on them, `runs` runs it, `work` keeps what is done, `results`
makes the figures' and tables' numbers of it, `paper` has the paper's numbers, `charts` and `page` show both.
"""
