// Whether arrow-rs reads Arrow streams and files: node reader.mjs PACKAGES SOCKET
//
// PACKAGES is the folder with node_modules. Each connection to SOCKET sends a path and gets "read",
// "crashed", or why not. arrow-rs is given the stream that is inside a file. After it has crashed it is loaded anew.
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

// arrow-rs aligns streams to 64 bytes in files: zeros may stand before the first message.
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
