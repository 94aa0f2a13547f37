"""The questions of TPC-H, shortened: nearly all join tables or count by arithmetic, and are refused by the
part that does. What two of them ask of one table is answered once its measures are columns."""

from __future__ import annotations

import pytest

from sqlanon.answers.question import read
from sqlanon.core.errors import UseError

DIMENSIONS = ["l_returnflag", "l_linestatus", "l_shipdate", "l_quantity_class", "l_shipmode", "l_discount"]
MEASURES = ["l_quantity", "l_extendedprice", "revenue"]
QUESTIONS = {
    1: "select l_returnflag, l_linestatus, sum(l_extendedprice * (1 - l_discount)), count(*) "
       "from lineitem where l_shipdate <= date '1998-12-01' - interval 9 day group by l_returnflag, "
       "l_linestatus order by l_returnflag, l_linestatus",
    2: "select s_acctbal, s_name from part, supplier, partsupp where p_partkey = ps_partkey and "
       "ps_supplycost = (select min(ps_supplycost) from partsupp) order by s_acctbal desc limit 100",
    3: "select l_orderkey, sum(l_extendedprice * (1 - l_discount)) from customer, orders, lineitem "
       "where c_mktsegment = 'BUILDING' and l_orderkey = o_orderkey group by l_orderkey limit 10",
    4: "select o_orderpriority, count(*) from orders where exists (select * from lineitem where "
       "l_commitdate < l_receiptdate) group by o_orderpriority",
    5: "select n_name, sum(l_extendedprice * (1 - l_discount)) from customer, orders, lineitem, nation "
       "where r_name = 'ASIA' group by n_name",
    6: "select sum(l_extendedprice * l_discount) as revenue from lineitem where l_shipdate >= date "
       "'1994-01-01' and l_discount between 0.05 and 0.07 and l_quantity < 24",
    7: "select supp_nation, sum(volume) from (select n1.n_name as supp_nation, l_extendedprice as volume "
       "from lineitem, nation n1) as shipping group by supp_nation",
    8: "select o_year, sum(case when nation = 'BRAZIL' then volume else 0 end) / sum(volume) from "
       "(select extract(year from o_orderdate) as o_year from orders) as all_nations group by o_year",
    9: "select nation, sum(amount) from (select n_name as nation from part where p_name like '%green%') as "
       "profit group by nation",
    10: "select c_custkey, sum(l_extendedprice * (1 - l_discount)) from customer, orders, lineitem "
        "where l_returnflag = 'R' group by c_custkey limit 20",
    11: "select ps_partkey, sum(ps_supplycost * ps_availqty) as value from partsupp, supplier group by "
        "ps_partkey having sum(ps_supplycost) > (select sum(ps_supplycost) * 0.0001 from partsupp)",
    12: "select l_shipmode, sum(case when o_orderpriority = '1-URGENT' then 1 else 0 end) from orders, "
        "lineitem where o_orderkey = l_orderkey group by l_shipmode",
    13: "select c_count, count(*) from (select c_custkey, count(o_orderkey) as c_count from customer left "
        "outer join orders on c_custkey = o_custkey group by c_custkey) as c_orders group by c_count",
    14: "select 100.00 * sum(case when p_type like 'PROMO%' then l_extendedprice else 0 end) from lineitem, "
        "part where l_partkey = p_partkey",
    15: "with revenue as (select l_suppkey, sum(l_extendedprice) as total from lineitem group by l_suppkey) "
        "select s_suppkey from supplier, revenue where total = (select max(total) from revenue)",
    16: "select p_brand, count(distinct ps_suppkey) from partsupp, part where p_brand <> 'Brand#45' "
        "group by p_brand",
    17: "select sum(l_extendedprice) / 7.0 from lineitem, part where l_quantity < (select 0.2 * "
        "avg(l_quantity) from lineitem)",
    18: "select c_name, sum(l_quantity) from customer, orders, lineitem where o_orderkey in (select "
        "l_orderkey from lineitem group by l_orderkey having sum(l_quantity) > 300) group by c_name",
    19: "select sum(l_extendedprice * (1 - l_discount)) from lineitem, part where p_partkey = l_partkey and "
        "l_shipmode in ('AIR', 'AIR REG')",
    20: "select s_name from supplier, nation where s_suppkey in (select ps_suppkey from partsupp)",
    21: "select s_name, count(*) from supplier, lineitem l1 where exists (select * from lineitem l2 where "
        "l2.l_orderkey = l1.l_orderkey) group by s_name",
    22: "select cntrycode, count(*) from (select substring(c_phone from 1 for 2) as cntrycode from customer) "
        "as custsale group by cntrycode",
}  # fmt: skip
OF_ONE_TABLE = {
    1: "select l_returnflag, l_linestatus, sum(l_quantity), sum(revenue), avg(l_quantity), count(*) from "
       "lineitem where l_shipdate <= date '1998-09-02' group by l_returnflag, l_linestatus order by "
       "l_returnflag, l_linestatus",
    6: "select sum(revenue) from lineitem where l_shipdate >= date '1994-01-01' and l_shipdate < date "
       "'1995-01-01' and l_discount between 0.05 and 0.07 and l_quantity_class = 'below 24'",
}  # fmt: skip
# What is refused where the table is the right one.
PARTS = {1: r"not allowed: CAST\('1998-12-01' AS DATE\) - INTERVAL", 6: "not allowed: l_quantity"}


@pytest.mark.parametrize("number", QUESTIONS)
def test_they_are_refused_by_the_part_that_is_not_allowed(number: int) -> None:
    with pytest.raises(UseError, match=PARTS.get(number, "not allowed: ")):
        read(QUESTIONS[number], "lineitem", DIMENSIONS, MEASURES)


@pytest.mark.parametrize("number", OF_ONE_TABLE)
def test_what_they_ask_of_one_table_is_understood(number: int) -> None:
    assert read(OF_ONE_TABLE[number], "lineitem", DIMENSIONS, MEASURES).select
