// apache-arrow from npm as a reader and writer: node apache-arrow.mjs PACKAGES
//
// PACKAGES is a directory with node_modules. fzstd and lz4js decompress bodies, because the library
// has no codecs.
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { building, notation } from "./cells.mjs";
import { serve } from "./conversation.mjs";

const require = createRequire(process.argv[2] + "/");
const arrow = require("apache-arrow"), fzstd = require("fzstd"), lz4 = require("lz4js");
const { version } = JSON.parse(readFileSync(`${process.argv[2]}/node_modules/apache-arrow/package.json`));
const codec = (decode) => ({ decode: (bytes) => new Uint8Array(decode(bytes)) });
arrow.compressionRegistry.set(arrow.CompressionType.ZSTD, codec(fzstd.decompress));
arrow.compressionRegistry.set(arrow.CompressionType.LZ4_FRAME, codec((bytes) => lz4.decompress(bytes)));

const { field, pairs, column } = notation(arrow);
const table = building(arrow);

function open({ file }) {
  const reader = arrow.RecordBatchReader.from(new Uint8Array(readFileSync(file)));
  reader.open({ autoDestroy: false });
  if (!reader.schema) throw new Error("no schema");
  return reader;
}

// An input without batches gets an empty batch of the library.
const batches = (reader) => [...reader].filter((batch) => batch.constructor.name !== "_InternalEmptyPlaceholderRecordBatch");
const columns = (batch) => ({ columns: batch.data.children.map(column) });

serve({
  name: `apache-arrow ${version} (npm)`,
  capabilities: {
    operations: ["describe", "read", "copy", "write"],
    datatypes: ["null", "int", "float", "bool", "binary", "utf8", "large-binary", "large-utf8", "decimal", "date", "time",
                "timestamp", "interval", "duration", "list", "large-list", "struct", "union", "fixed-size-binary", "fixed-size-list", "map", "dictionary",
                "binary-view", "utf8-view"],
    features: ["stream", "file", "batches", "children", "null-counts", "metadata"],
  },
}, {
  describe(request) {
    const reader = open(request);
    const found = batches(reader);
    return { fields: reader.schema.fields.map(field), metadata: pairs(reader.schema.metadata),
             batches: found.map((batch) => ({ rows: String(batch.numRows), null_counts: batch.data.children.map((data) => String(data.nullCount)) })) };
  },
  read(request) {
    const reader = open(request);
    if (request.batches && reader.isFile()) return { batches: request.batches.map((i) => columns(reader.readRecordBatch(Number(i)))) };
    let found = batches(reader);
    if (request.batches) found = request.batches.map((i) => found[Number(i)]);
    if (!request.child) return { batches: found.map(columns) };
    const [i, k] = request.child.map(Number);
    return { batches: found.map((batch) => ({ columns: [column(batch.data.children[i].children[k])] })) };
  },
  copy(request) {
    const reader = open(request);
    const copy = new arrow.Table(reader.schema, batches(reader));
    writeFileSync(request.to, arrow.tableToIPC(copy, request.framing));
    return {};
  },
  write(request) {
    writeFileSync(request.file, arrow.tableToIPC(table(request.table), request.framing));
    return {};
  },
});
