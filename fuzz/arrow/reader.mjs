// Reads Arrow streams and files with arrow-rs: node reader.mjs PACKAGES SOCKET
//
// PACKAGES is the directory with node_modules. Each connection to SOCKET sends a path and receives "read",
// "crashed", or the reason of a refusal. For a file, arrow-rs receives the stream inside it. After a crash it
// is loaded again.
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { readFileSync } from "node:fs";

const require = createRequire(process.argv[2] + "/");
let parquet = require("parquet-wasm/node");

function loadAnew() {
  for (const path of Object.keys(require.cache))
    if (path.includes("parquet-wasm")) delete require.cache[path];
  parquet = require("parquet-wasm/node");
}

// In files, arrow-rs aligns streams to 64 bytes: there may be zeros before the first message.
function streamIn(bytes) {
  if (bytes.subarray(0, 6).toString() !== "ARROW1") return bytes;
  let at = 8;
  while (at < 64 && bytes.subarray(at, at + 8).every((byte) => byte === 0)) at += 8;
  return bytes.subarray(at);
}

function read(path) {
  try {
    parquet.Table.fromIPCStream(new Uint8Array(streamIn(readFileSync(path)))).free();
    return "read";
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) return String(error).split("\n")[0];
    loadAnew();
    return "crashed";
  }
}

createServer((connection) => {
  let path = "";
  connection.on("data", (data) => {
    path += data;
    if (path.endsWith("\n")) connection.end(read(path.trimEnd()));
  });
  connection.on("error", () => {});
}).listen(process.argv[3]);
