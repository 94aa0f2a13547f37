// Parquet to Arrow and back, beside the page, so that it stays alive.

import start, { Compression, Table, WriterPropertiesBuilder, readParquet, writeParquet } from "./parquet_wasm.js";

const TASKS = {
  read: (bytes) => readParquet(bytes).intoIPCStream(),
  write: (bytes) => writeParquet(
    Table.fromIPCStream(bytes), new WriterPropertiesBuilder().setCompression(Compression.SNAPPY).build()),
};

onmessage = ({ data: { task, bytes } }) => {
  try {
    const made = TASKS[task](bytes);
    postMessage({ bytes: made }, [made.buffer]);
  } catch (error) {
    postMessage({ error: error.message ?? String(error) });
  }
};

await start();
postMessage({ ready: true });
