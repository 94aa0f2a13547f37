// Apache Arrow as a module. The package's build for browsers is a script, which index.html runs before this.

const { RecordBatchReader, Table, Type, tableToIPC } = globalThis.Arrow;

export { RecordBatchReader, Table, Type, tableToIPC };
