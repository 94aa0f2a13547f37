// A table of counts by one or two columns, with its totals, of which cells are hidden so that nobody can compute
// the small ones.
//
// Every row and column of such a table adds up to its total. So its hidden cells are the edges of a network, from
// the node of their row to that of their column, and how far a cell can differ is a flow (Cox 1980, Gusfield
// 1988): the bounds are exact, in whole numbers. Tables by more columns need programs that a browser lacks.
//
// Where people are in several cells, a network shows what is possible, but not all of it: as if everybody else's
// cells were known, those who are in one column alone could be in others of it, and who is in several could be in
// more cells of one. Then rows still add up to their totals. Of those in one column alone, the cells add up to
// at least their number, and none is more: for all such numbers there are people.

// cells: of all rows and columns, the total last in both: cells[row][column]. A table by one column is a row, and
// a row of totals that is not shown. sets: where people are in several cells, in which, as places (lists of row
// and column), and people. isTurned: rows and columns change places.
export class CountTable {
  constructor(cells, threshold, sets = null, isTurned = false) {
    const isLine = cells.length === 1;
    const given = isLine ? [cells[0], cells[0]] : cells;
    const all = isTurned ? given[0].map((_, column) => given.map((row) => row[column])) : given;
    Object.assign(this, { cells: all, threshold, rows: all.length, columns: all[0].length, hidden: new Set(), isTurned });
    this.sets = sets?.map(({ places, people }) => ({ people, places: isTurned ? places.map(([row, column]) => [column, row]) : places }));
    this.unpublished = new Set(isLine ? this.every((row, column) => (isTurned ? column : row) === 1) : []);
    this.elsewhere = this.withoutSet(null);
    this.unsafe = this.every((row, column) => 0 < this.at(row, column) && this.at(row, column) < threshold)
      .filter((place) => !this.unpublished.has(place));
    for (const each of this.unsafe) this.hidden.add(each);
  }

  isHidden(row, column) {
    return this.hidden.has(this.isTurned ? column * this.columns + row : row * this.columns + column);
  }

  // Of people in one column alone, how many are in each cell (free), and of the others, how many could be there, too
  // (more): all of them but one of a set.
  withoutSet(without) {
    const [free, more] = [0, 1].map(() => this.cells.map((line) => line.map(() => 0)));
    for (const set of this.sets ?? []) {
      const people = set.people - (set === without ? 1 : 0), rows = set.places.map(([row]) => row);
      const columns = [...new Set(set.places.map(([, column]) => column))];
      const column = columns.reduce((least, each) => (this.at(this.rows - 1, each) < this.at(this.rows - 1, least) ? each : least));
      if (columns.length === 1) for (const row of [...rows, this.rows - 1]) free[row][column] += people;
      else for (let row = 0; row < this.rows - 1; row++) if (!rows.includes(row)) more[row][column] += people;
    }
    return { free, more };
  }

  at(row, column) {
    return this.cells[row][column];
  }

  // The places of cells, row * columns + column, of which something holds.
  every(holds) {
    const found = [];
    for (let row = 0; row < this.rows; row++) {
      for (let column = 0; column < this.columns; column++) if (holds(row, column)) found.push(row * this.columns + column);
    }
    return found;
  }

  valueOf(place) {
    return this.at(Math.floor(place / this.columns), place % this.columns);
  }

  // Totals stand on the other side of their sum: what is added to one is taken from the other.
  isReversed(place) {
    return (Math.floor(place / this.columns) === this.rows - 1) !== (place % this.columns === this.columns - 1);
  }

  // How far a hidden cell can grow and shrink: it is at least 1, as zeros are shown. The total of a column that is
  // hidden, too, shares with its cells what is between.
  room(place, free) {
    const row = Math.floor(place / this.columns), column = place % this.columns, least = this.valueOf(place) - 1;
    if (!this.sets || column === this.columns - 1) return [Infinity, least];
    const numbers = free.map((line) => line[column]), total = numbers.pop();
    const most = this.hidden.has((this.rows - 1) * this.columns + column) ? Math.floor((total + Math.max(...numbers)) / 2) : total;
    return row === this.rows - 1 ? [Infinity, Math.min(least, total - most)] : [most - free[row][column], Math.min(least, free[row][column])];
  }

  // How far the cell can be above (or below) its value, up to most, if all that is shown stays as it is, and the
  // cells in known, whose people are not elsewhere.
  reach(place, isUp, most, known, { free, more } = this.elsewhere) {
    const spare = new Map(); // of each other hidden cell, how far it can still grow and shrink
    for (const each of this.unpublished) spare.set(each, [Infinity, Infinity]);
    for (const each of this.hidden) if (each !== place && !known.has(each)) spare.set(each, this.room(each, free));
    const row = Math.floor(place / this.columns), column = place % this.columns, last = this.columns - 1, below = this.rows * this.columns;
    const ways = [[~column, this.room(place, free)[isUp ? 0 : 1]]]; // nodes from or to which something is sent, and how much
    if (this.sets) {
      // what the cells of a column are more than its total is one more cell below it
      free.at(-1).forEach((total, each) => spare.set(below + each, each === last ? [Infinity, Infinity]
        : [free.slice(0, -1).reduce((sum, line) => sum + line[each], 0) - total, Infinity]));
      // who is in several columns adds to a cell and to its row, as if the total of the row were less
      for (const each of this.hidden) {
        const own = each - (each % this.columns) + last, [up, down] = spare.get(own) ?? [0, 0];
        if (each !== place && !known.has(each) && own !== place) spare.set(own, [up, down + more[Math.floor(each / this.columns)][each % this.columns]]);
      }
      if (isUp) ways.push([~last, more[row][column]]);
      // and somebody new to its total, too
      if (isUp && row < this.rows - 1 && spare.has(below - this.columns + column)) ways.push([this.rows - 1, Infinity]);
    }
    const grows = isUp !== this.isReversed(place); // in its equation
    let reached = 0;
    for (const [way, limit] of ways) {
      for (let step = 1, left = Math.min(limit, most - reached); step && left > 0; left -= step, reached += step) {
        step = this.augment(spare, grows ? way : row, grows ? row : way, left);
      }
    }
    return reached;
  }

  // Send something from one node to the other, along the fewest cells; how much.
  augment(spare, from, to, most) {
    const cameBy = new Map([[from, null]]);
    const queue = [from];
    while (queue.length && !cameBy.has(to)) {
      const node = queue.shift();
      const isRow = node >= 0;
      for (const [place, [up, down]] of spare) {
        const row = Math.floor(place / this.columns), column = ~(place % this.columns);
        if ((isRow ? row : column) !== node || cameBy.has(isRow ? column : row)) continue;
        const grows = isRow !== this.isReversed(place); // from a row to a column what is sent adds to the cell
        if ((grows ? up : down) <= 0) continue;
        cameBy.set(isRow ? column : row, { node, place, grows });
        queue.push(isRow ? column : row);
      }
    }
    if (!cameBy.has(to)) return 0;
    const path = [];
    for (let step = cameBy.get(to); step; step = cameBy.get(step.node)) path.push(step);
    const amount = path.reduce((least, { place, grows }) => Math.min(least, spare.get(place)[grows ? 0 : 1]), most);
    for (const { place, grows } of path) {
      const [up, down] = spare.get(place);
      spare.set(place, grows ? [up - amount, down + amount] : [up + amount, down - amount]);
    }
    return amount;
  }

  // Is a place that of a total, or of its row or column, or the same?
  isWithin(place, total) {
    return (total >= (this.rows - 1) * this.columns || Math.floor(total / this.columns) === Math.floor(place / this.columns)) &&
      (total % this.columns === this.columns - 1 || total % this.columns === place % this.columns);
  }

  // Is an unsafe cell known too closely? At least as many numbers as the threshold says must be possible, and one
  // that is no smaller than it: to outsiders, and to the only person of another hidden cell, who knows that one (of a
  // total and its part it is the same person) and where else they are.
  isExposed(place) {
    const value = this.valueOf(place);
    const alone = [...this.hidden].filter((each) => each !== place && this.valueOf(each) === 1 &&
      !(value === 1 && (this.isWithin(place, each) || this.isWithin(each, place))));
    return [null, ...alone].some((each) => {
      const known = new Set(each === null ? [] : [each]);
      const own = this.sets?.find(({ places }) => each !== null && places.some(([row, column]) => this.isWithin(row * this.columns + column, each)));
      const elsewhere = own ? this.withoutSet(own) : this.elsewhere;
      const up = this.reach(place, true, this.threshold, known, elsewhere);
      return value + up < this.threshold || up + this.reach(place, false, this.threshold, known, elsewhere) + 1 < this.threshold;
    });
  }

  // The rows and columns whose total is shown and whose hidden cells are together fewer than the threshold: their
  // sum is known.
  smallSums() {
    const lines = [
      ...Array.from({ length: this.rows }, (_, row) => this.every((each) => each === row)),
      ...Array.from({ length: this.columns }, (_, column) => this.every((_row, each) => each === column)),
    ];
    return lines.filter((line) => !this.hidden.has(line.at(-1)) && !this.unpublished.has(line.at(-1)))
      .map((line) => [line, line.filter((place) => this.hidden.has(place))]).filter(([, hidden]) =>
        hidden.length && hidden.reduce((sum, place) => sum + this.valueOf(place), 0) < this.threshold);
  }

  // Hide further cells until no unsafe cell is known too closely: the smallest of the row or column. Are all
  // protected? patience: milliseconds.
  async protect(patience = 20_000) {
    const end = Date.now() + patience;
    for (let breath = Date.now(); ;) {
      if (Date.now() > end) return false;
      if (Date.now() > breath + 50) { // the page stays alive
        await new Promise((resume) => setTimeout(resume));
        breath = Date.now();
      }
      const line = this.smallSums()[0]?.[0];
      const exposed = line ? null : this.unsafe.find((place) => this.isExposed(place));
      if (!line && exposed === undefined) break;
      const row = Math.floor(exposed / this.columns), column = exposed % this.columns;
      const near = line ?? this.every((each, other) => each === row || other === column);
      const all = this.every(() => true);
      const place = this.smallestShown(near) ?? this.smallestShown(all);
      if (place === null) return false;
      this.hidden.add(place);
    }
    this.showAgain(end);
    return true;
  }

  // Show what need not be hidden, the largest first. Until end.
  showAgain(end) {
    const others = [...this.hidden].filter((place) => !this.unsafe.includes(place));
    for (const place of others.sort((one, other) => this.valueOf(other) - this.valueOf(one))) {
      if (Date.now() > end) return;
      this.hidden.delete(place);
      if (this.smallSums().length || this.unsafe.some((each) => this.isExposed(each))) this.hidden.add(place);
    }
  }

  smallestShown(places) {
    const shown = places.filter((place) => !this.hidden.has(place) && !this.unpublished.has(place) && this.valueOf(place) > 0);
    return shown.reduce((least, place) => (least === null || this.valueOf(place) < this.valueOf(least) ? place : least), null);
  }
}
