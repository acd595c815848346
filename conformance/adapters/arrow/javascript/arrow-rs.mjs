// arrow-rs, in parquet-wasm from npm, as a strict reader and writer of streams:
// node arrow-rs.mjs PACKAGES
//
// PACKAGES is a directory with node_modules. arrow-rs reads every input, checks it and writes it
// as a stream; apache-arrow extracts the cells from that stream. Tables to write take the
// reverse path.
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { building, notation } from "./cells.mjs";
import { serve } from "./conversation.mjs";

const require = createRequire(process.argv[2] + "/");
const arrow = require("apache-arrow");
const { version } = JSON.parse(readFileSync(`${process.argv[2]}/node_modules/parquet-wasm/package.json`));
const WASM = require.resolve("parquet-wasm/node");

const { field, pairs, column } = notation(arrow);
const table = building(arrow);
let parquet = require(WASM);

// The result of arrow-rs for a stream. A trap destroys its state, so it is loaded again.
function through(bytes) {
  try {
    return parquet.Table.fromIPCStream(bytes).intoIPCStream();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) {
      delete require.cache[WASM];
      parquet = require(WASM);
      throw new Error(`a trap: ${error.message}`);
    }
    throw error;
  }
}

function open({ file }) {
  const reader = arrow.RecordBatchReader.from(through(new Uint8Array(readFileSync(file))));
  reader.open({ autoDestroy: false });
  return reader;
}

const batches = (reader) => [...reader].filter((batch) => batch.constructor.name !== "_InternalEmptyPlaceholderRecordBatch");

serve({
  name: `arrow-rs (parquet-wasm ${version}, npm)`,
  capabilities: {
    operations: ["describe", "read", "copy", "write"],
    datatypes: ["null", "int", "float", "bool", "binary", "utf8", "large-binary", "large-utf8", "decimal", "date", "time",
                "timestamp", "interval", "duration", "list", "large-list", "struct", "union", "fixed-size-binary", "fixed-size-list", "map", "dictionary",
                "binary-view", "utf8-view"],
    features: ["stream", "children", "null-counts", "metadata"],
  },
}, {
  describe(request) {
    const reader = open(request);
    const found = batches(reader);
    return { fields: reader.schema.fields.map(field), metadata: pairs(reader.schema.metadata),
             batches: found.map((batch) => ({ rows: String(batch.numRows), null_counts: batch.data.children.map((data) => String(data.nullCount)) })) };
  },
  read(request) {
    const found = batches(open(request));
    if (!request.child) return { batches: found.map((batch) => ({ columns: batch.data.children.map(column) })) };
    const [i, k] = request.child.map(Number);
    return { batches: found.map((batch) => ({ columns: [column(batch.data.children[i].children[k])] })) };
  },
  copy(request) {
    writeFileSync(request.to, through(new Uint8Array(readFileSync(request.file))));
    return {};
  },
  write(request) {
    writeFileSync(request.file, through(arrow.tableToIPC(table(request.table), "stream")));
    return {};
  },
});
