// Two clinics release anonymous tables, and together these tell what Alice has.
// Run it in a folder with sqlanon.duckdb (`sqlanon sql -o sqlanon.duckdb`): npm install && npm start
import { DuckDBInstance } from '@duckdb/node-api';

const instance = await DuckDBInstance.create();
const con = await instance.connect();
await con.run("ATTACH 'sqlanon.duckdb' AS sqlanon (READ_ONLY)");

await con.run(`
  CREATE TABLE east(age, zip, disease) AS FROM (VALUES
    (28, 13012, 'diabetes'), (25, 13021, 'flu'), (23, 13035, 'cancer'),
    (52, 13048, 'flu'), (57, 13052, 'asthma'), (49, 13067, 'cancer'));
  CREATE TABLE west(age, zip, disease) AS FROM (VALUES
    (28, 13012, 'diabetes'), (31, 13018, 'gastritis'), (22, 13026, 'asthma'),
    (60, 13049, 'gastritis'), (45, 13055, 'flu'), (51, 13061, 'asthma'));
  CREATE TABLE voters(name, age, zip) AS FROM (VALUES ('Alice', 28, 13012))`);

for (const clinic of ['east', 'west'])
  await con.run(`
    CREATE TABLE ${clinic}_release AS
    FROM sqlanon.mondrian('${clinic}', qi := ['age', 'zip'], sensitive := 'disease', k := 3, l := 3)`);

// A guarantee is a query that returns no rows.
const violations = await con.runAndReadAll(`
  FROM sqlanon.violations('east_release', qi := ['age', 'zip'], sensitive := 'disease', k := 3, l := 3)`);
console.log(`${violations.currentRowCount} violations`);

const attacked = await con.runAndReadAll(`
  SELECT name, candidates
  FROM sqlanon.intersection_attack(['east_release', 'west_release'], targets := 'voters', id := 'name',
                                   qi := ['age', 'zip'], sensitive := 'disease')`);
for (const { name, candidates } of attacked.getRowObjectsJson()) console.log(`${name}: ${candidates.join(', ')}`);
