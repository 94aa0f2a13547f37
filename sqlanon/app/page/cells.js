// A table of counts by one or two columns, with its totals, of which cells are hidden so that nobody can compute
// the small ones.
//
// Every row and column of such a table adds up to its total. So its hidden cells are the edges of a network, from
// the node of their row to that of their column, and how far a cell can differ is a flow (Cox 1980, Gusfield
// 1988): the bounds are exact, in whole numbers. Tables by more columns need programs that a browser lacks.

// cells: of all rows and columns, the total last in both: cells[row][column]. A table by one column is a row, and
// a row of totals that is not shown.
export class CountTable {
  constructor(cells, threshold) {
    const isLine = cells.length === 1;
    const all = isLine ? [cells[0], cells[0]] : cells;
    Object.assign(this, { cells: all, threshold, rows: all.length, columns: all[0].length, hidden: new Set() });
    this.unpublished = new Set(isLine ? this.every((row) => row === 1) : []);
    this.unsafe = this.every((row, column) => 0 < this.at(row, column) && this.at(row, column) < threshold)
      .filter((place) => !this.unpublished.has(place));
    for (const each of this.unsafe) this.hidden.add(each);
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

  // How far the cell can be above (or below) its value, up to most, if all that is shown stays as it is, and the
  // cells in known. A hidden cell is at least 1, as zeros are shown.
  reach(place, isUp, most, known) {
    const spare = new Map(); // of each other hidden cell, how far it can still grow and shrink
    for (const each of this.unpublished) spare.set(each, [Infinity, Infinity]);
    for (const each of this.hidden) if (each !== place && !known.has(each)) spare.set(each, [Infinity, this.valueOf(each) - 1]);
    const [row, column] = [Math.floor(place / this.columns), this.rows + (place % this.columns)];
    const grows = isUp !== this.isReversed(place); // in its equation
    const limit = isUp ? most : Math.min(most, this.valueOf(place) - 1);
    let reached = 0;
    while (reached < limit) {
      const step = this.augment(spare, grows ? column : row, grows ? row : column, limit - reached);
      if (!step) break;
      reached += step;
    }
    return reached;
  }

  // Send something from one node to the other, along the fewest cells; how much.
  augment(spare, from, to, most) {
    const cameBy = new Map([[from, null]]);
    const queue = [from];
    while (queue.length && !cameBy.has(to)) {
      const node = queue.shift();
      const isRow = node < this.rows;
      for (const [place, [up, down]] of spare) {
        const row = Math.floor(place / this.columns), column = this.rows + (place % this.columns);
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

  // Is an unsafe cell known too closely? At least as many numbers as the threshold says must be possible, and one
  // that is no smaller than it: to outsiders, and to the only person of another hidden cell, who knows that one.
  isExposed(place) {
    const value = this.valueOf(place);
    const alone = [...this.hidden].filter((each) => each !== place && this.valueOf(each) === 1);
    return [new Set(), ...alone.map((each) => new Set([each]))].some((known) => {
      const up = this.reach(place, true, this.threshold, known);
      return value + up < this.threshold || up + this.reach(place, false, this.threshold, known) + 1 < this.threshold;
    });
  }

  // The rows and columns whose hidden cells are together fewer than the threshold: their sum is known.
  smallSums() {
    const lines = [
      ...Array.from({ length: this.rows }, (_, row) => this.every((each) => each === row)),
      ...Array.from({ length: this.columns }, (_, column) => this.every((_row, each) => each === column)),
    ];
    return lines.map((line) => [line, line.filter((place) => this.hidden.has(place))]).filter(([, hidden]) =>
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
