// Validates files with the program of this package, in WebAssembly, in a thread of its own.
import { fileURLToPath } from "node:url";
import { MessageChannel, Worker } from "node:worker_threads";

// Exit statuses that go with a report, and that of options that are not accepted.
const REPORTED = [0, 1, 3], USAGE = 2;

/** The program could not be run, or did not write a report; the message is what it printed. */
export class HepcheckError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** An option or its value is not accepted. */
export class UsageError extends HepcheckError {}

// { maxFindings: 5, strict: true, skip: ["a", "b"] } as --max-findings 5 --strict --skip a --skip b
function argumentsOf(options) {
  const made = options.config === undefined ? ["--no-config"] : [];
  for (const [name, value] of Object.entries(options)) {
    const option = "--" + name.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each === undefined || each === null || each === false) continue;
      made.push(...(each === true ? [option] : [option, String(each)]));
    }
  }
  return made;
}

// Standard input for the thread, which waits for each chunk: `count` counts those that were sent.
function feed(chunks, fail) {
  const { port1, port2 } = new MessageChannel();
  const count = new Int32Array(new SharedArrayBuffer(4)), iterator = chunks[Symbol.asyncIterator]();
  const send = (message) => {
    port1.postMessage(message);
    Atomics.add(count, 0, 1);
    Atomics.notify(count, 0);
  };
  port1.on("message", async () => {
    try {
      const { done, value } = await iterator.next();
      send(done ? null : typeof value === "string" ? Buffer.from(value) : value);
    } catch (error) {
      fail(error);
      send(null);
    }
  });
  return { data: { port: port2, count }, transfer: [port2], close: () => { port1.close(); iterator.return?.(); } };
}

function run(args, chunks, signal, onProgress) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const input = chunks && feed(chunks, reject);
    const worker = new Worker(new URL("worker.mjs", import.meta.url), {
      workerData: { args, input: input?.data, report: true, progress: Boolean(onProgress) },
      transferList: input?.transfer ?? [],
    });
    const cancel = () => {
      worker.terminate();
      reject(signal.reason);
    };
    const end = () => {
      signal?.removeEventListener("abort", cancel);
      input?.close();
    };
    signal?.addEventListener("abort", cancel);
    worker.on("message", ({ status, out, errors, ...progress }) => {
      if (status === undefined) return onProgress(progress);
      if (REPORTED.includes(status) && out) return resolve(out);
      reject(new (status === USAGE ? UsageError : HepcheckError)(errors.trim() || `exit status ${status}`));
    });
    worker.on("error", (error) => reject(new HepcheckError(`ended by ${error.message}`, { cause: error })));
    worker.on("exit", (code) => {
      end();
      reject(new HepcheckError(`ended with status ${code}`)); // unless it was settled before
    });
  });
}

/**
 * Validates a path, "FILE:/group", a directory, several of them in an array, the bytes of a file (Uint8Array) or a
 * stream of bytes. The options are those of `hepcheck validate` in camel case; `signal` cancels, `onProgress` is called
 * with { done, expected, file, files }.
 */
export async function validate(input, { signal, onProgress, ...options } = {}) {
  const args = ["validate", "--format", "json", ...argumentsOf(options), "--"];
  const paths = [input].flat();
  const read = async (words, chunks) => JSON.parse(await run([...args, ...words], chunks, signal, onProgress));
  if (paths.length > 0 && paths.every((path) => typeof path === "string" || path instanceof URL))
    return read(paths.map((path) => path instanceof URL ? fileURLToPath(path) : path));
  if (input instanceof Uint8Array) return read(["-"], (async function* () { yield input; })());
  if (typeof input?.[Symbol.asyncIterator] === "function") return read(["-"], input);
  throw new TypeError("expected a path, an array of paths, a Uint8Array or a stream");
}
