// DuckDB in a worker, with the library attached. Statements run one after the other; the one that runs can be
// stopped.

import * as arrow from "./apache-arrow.js";
import { beside, confinedWorker } from "./confined.js";
import { AsyncDuckDB, DuckDBDataProtocol, VoidLogger } from "./duckdb-browser.mjs";
import { text } from "./language.js";

export class Stopped extends Error {}

// An error in the words of a macro, or of DuckDB.
export class Refused extends Error {
  constructor(message) {
    super(inWords(message));
  }
}

// Without the kind of the error, and without the statement.
function inWords(message) {
  const words = message
    .split(/\n\s*(?:LINE \d+:|Possible solutions:|Stack Trace:|Database is launched)/)[0]
    .replace(/^(?:Error: )?(?:[A-Z][A-Za-z-]* ){1,4}Error: /, "")
    .trim();
  if (/^(?:failed to allocate|could not allocate|Allocation failure)/i.test(words) || /Out of Memory/.test(message)) {
    return text("table.no_memory", { error: words.replace(/^.*?Error: /, "") });
  }
  return words;
}

export class Engine {
  static async start() {
    const engine = new Engine();
    const worker = confinedWorker(`importScripts(${JSON.stringify(beside("duckdb-browser-eh.worker.js"))});`);
    engine.db = new AsyncDuckDB(new VoidLogger(), worker);
    await engine.db.instantiate(beside("duckdb-eh.wasm"));
    await engine.db.open({ query: { queryPollingInterval: 50 } });
    engine.connection = await engine.db.connect();
    engine.last = Promise.resolve();
    await engine.load(document.body.dataset.library);
    // DuckDB fetches nothing: what is here is all there is.
    await engine.rows("set autoinstall_known_extensions = false");
    await engine.rows("set autoload_known_extensions = false");
    // What errors say is read here, by whoever has the table, and goes nowhere: values help more than their number.
    await engine.rows("set variable sqlanon_show_values = true");
    return engine;
  }

  // The library: a file to attach, or its script.
  async load(name) {
    const library = await fetch(beside(name));
    if (!library.ok) throw new Error(`${name}: ${library.status} ${library.statusText}`);
    if (name.endsWith(".sql")) await this.connection.query(await library.text());
    else {
      await this.db.registerFileBuffer(name, new Uint8Array(await library.arrayBuffer()));
      await this.rows(`attach '${name}' as sqlanon (read_only)`);
    }
  }

  // The rows of a statement, as objects.
  rows(statement, signal) {
    return this.next(async () => {
      if (signal?.aborted) throw new Stopped();
      const stop = () => this.connection.cancelSent();
      signal?.addEventListener("abort", stop);
      try {
        const answer = [];
        for await (const batch of await this.connection.send(statement, true)) {
          if (signal?.aborted) throw new Stopped();
          for (const row of batch) answer.push(plain(row.toJSON()));
        }
        if (signal?.aborted) throw new Stopped();
        return answer;
      } catch (error) {
        if (signal?.aborted || error instanceof Stopped) throw new Stopped();
        throw new Refused(error.message ?? String(error));
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    });
  }

  // The one row of a statement.
  async row(statement, signal) {
    return (await this.rows(statement, signal))[0];
  }

  // A file of the user's, under a name that DuckDB reads it by. Its bytes stay where they are.
  addFile(name, file) {
    return this.next(async () => {
      await this.db.dropFile(name);
      await this.db.registerFileHandle(name, file, DuckDBDataProtocol.BROWSER_FILEREADER, true);
    });
  }

  // The bytes of a file that a statement writes.
  async written(name, statement) {
    await this.next(() => this.db.registerEmptyFileBuffer(name));
    await this.rows(statement);
    return this.next(async () => {
      const bytes = await this.db.copyFileToBuffer(name);
      await this.db.dropFile(name);
      return bytes;
    });
  }

  // A table of the rows of a stream of Arrow.
  addArrow(name, stream) {
    return this.next(async () => {
      try {
        await this.connection.insertArrowFromIPCStream(stream, { name, create: true });
      } catch (error) {
        throw new Refused(error.message ?? String(error));
      }
    });
  }

  // The rows of a statement as a stream of Arrow.
  stream(statement) {
    return this.next(async () => arrow.tableToIPC(await this.connection.query(statement), "stream"));
  }

  next(task) {
    const done = this.last.then(task);
    this.last = done.catch(() => {});
    return done;
  }
}

function plain(value) {
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value !== "object") return value;
  if (typeof value.toJSON === "function") return plain(value.toJSON());
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}
