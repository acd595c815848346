// What two readers say of Arrow streams and files: node read.mjs PACKAGES < PATHS > REPLIES
//
// PACKAGES is the folder with node_modules. A line of input is a path, a line of output a JSON object:
// {"arrow-rs": null or an error, "apache-arrow": likewise, "rows": of all batches, "columns": names}.
// Every value is touched. arrow-rs is given the stream that is inside a file.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.argv[2] + "/");
const parquet = require("parquet-wasm/node");
const arrow = require("apache-arrow");
const fzstd = require("fzstd");
const lz4 = require("lz4js");

const { CompressionType, compressionRegistry, tableFromIPC } = arrow;
const codec = (decode) => ({ decode: (bytes) => new Uint8Array(decode(bytes)) });
compressionRegistry.set(CompressionType.ZSTD, codec(fzstd.decompress));
compressionRegistry.set(CompressionType.LZ4_FRAME, codec((bytes) => lz4.decompress(bytes)));

function attempt(read) {
  try {
    read();
    return null;
  } catch (error) {
    return String(error);
  }
}

function touch(value) {
  if (value && typeof value === "object" && typeof value[Symbol.iterator] === "function")
    for (const each of value) touch(each);
}

for (const path of readFileSync(0, "utf8").split("\n").filter((line) => line)) {
  const bytes = new Uint8Array(readFileSync(path));
  const reply = {};
  const stream = path.endsWith(".arrow") ? bytes.slice(8) : bytes;
  reply["arrow-rs"] = attempt(() => parquet.Table.fromIPCStream(stream).free());
  reply["apache-arrow"] = attempt(() => {
    const table = tableFromIPC(bytes);
    reply.rows = table.numRows;
    reply.columns = table.schema.fields.map((field) => field.name);
    for (let i = 0; i < table.numCols; ++i)
      if (table.getChildAt(i).length < 100000) touch(table.getChildAt(i));
  });
  console.log(JSON.stringify(reply));
}
