"""What `make files` writes from sql/, and builds of the package do: the public macros as functions, their
parameters, and the types of what can be required. None of it is in git.
"""

from sqlanon.core import freshness

freshness.check()
