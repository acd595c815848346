// The thread that examines: runs the program of this package once. workerData: { args, input, columns, report, progress }.
import fs from "node:fs";
import { createRequire } from "node:module";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";

const require = createRequire(import.meta.url);
const factory = require("./hepcheck.cjs"), host = require("./host.cjs");
const { args, columns, input, report, progress } = workerData;

// The directories of this machine under their own names. /dev and /proc are those of the program.
function mountAll(FS) {
  const { NODEFS } = FS.filesystems;
  for (const each of fs.readdirSync("/", { withFileTypes: true })) {
    const path = `/${each.name}`;
    if (["dev", "proc"].includes(each.name)) continue;
    if (each.isSymbolicLink()) FS.symlink(fs.readlinkSync(path), path);
    if (!each.isDirectory()) continue;
    if (!FS.analyzePath(path).exists) FS.mkdir(path);
    FS.mount(NODEFS, { root: path }, path);
  }
  if (process.cwd() !== "/") FS.chdir(process.cwd());
}

const pause = new Int32Array(new SharedArrayBuffer(4));

// A pipe may be one that does not wait.
function waiting(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

function readStandardInput(into) {
  try {
    return waiting(() => fs.readSync(0, into, 0, into.length, null));
  } catch (error) {
    if (error.code === "EOF") return 0;
    throw error;
  }
}

function writeTo(descriptor) {
  return (bytes) => {
    for (let at = 0; at < bytes.length;) at += waiting(() => fs.writeSync(descriptor, bytes, at));
  };
}

// Chunks that the main thread sends when it is asked; null is the end.
function readMessages({ port, count }) {
  let rest = new Uint8Array(0), seen = 0, ended = false;
  return (into) => {
    if (!rest.length && !ended) {
      port.postMessage("next");
      Atomics.wait(count, 0, seen++);
      const { message } = receiveMessageOnPort(port);
      if (message === null) ended = true;
      else rest = message;
    }
    const size = Math.min(rest.length, into.length);
    into.set(rest.subarray(0, size));
    rest = rest.subarray(size);
    return size;
  };
}

const out = [], errors = [];
const streams = [
  { read: input ? readMessages(input) : report ? undefined : readStandardInput },
  report ? { write: (bytes) => out.push(bytes) } : { write: writeTo(1), columns },
  { write: report ? (bytes) => errors.push(bytes) : writeTo(2) },
];
const onProgress = progress && ((done, expected, file, files) => parentPort.postMessage({ done, expected, file, files }));
const settings = { preRun: [({ ENV }) => Object.assign(ENV, process.env)] };
const status = await host.run({ factory, settings, args, prepare: mountAll, streams, onProgress });
const text = (chunks) => Buffer.concat(chunks).toString();
parentPort.postMessage({ status, out: report ? text(out) : "", errors: text(errors) });
