// Validates files with the program of this package, which examines each in a sandbox.
import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

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

/** The path of the program: the value of HEPCHECK, or the one in this package. */
export function program() {
  return process.env.HEPCHECK || fileURLToPath(new URL("bin/hepcheck", import.meta.url));
}

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

function run(args, input, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn(program(), args, { stdio: [input ? "pipe" : "ignore", "pipe", "pipe"], signal });
    const out = [], errors = [];
    child.stdout.on("data", (chunk) => out.push(chunk));
    child.stderr.on("data", (chunk) => errors.push(chunk));
    child.on("error", (error) =>
      reject(error.name === "AbortError" ? error
        : new HepcheckError(`cannot start ${program()}: ${error.message}`, { cause: error })));
    child.on("close", (status, killed) => {
      if (REPORTED.includes(status) && out.length) return resolve(Buffer.concat(out).toString());
      const words = Buffer.concat(errors).toString().trim() || (killed ? `ended by ${killed}` : `exit status ${status}`);
      reject(new (status === USAGE ? UsageError : HepcheckError)(words));
    });
    // A program that has its answer closes the pipe early.
    if (input) pipeline(input, child.stdin).catch(() => {});
  });
}

/**
 * Validates a path, "FILE:/group", a directory, several of them in an array, the bytes of a file (Uint8Array) or a
 * stream of bytes. The options are those of `hepcheck validate` in camel case; `signal` cancels.
 */
export async function validate(input, { signal, ...options } = {}) {
  const args = ["validate", "--format", "json", ...argumentsOf(options), "--"];
  const paths = [input].flat();
  if (paths.length > 0 && paths.every((path) => typeof path === "string" || path instanceof URL))
    return JSON.parse(await run([...args, ...paths.map((path) => path instanceof URL ? fileURLToPath(path) : path)], null, signal));
  if (input instanceof Uint8Array) return JSON.parse(await run([...args, "-"], Readable.from([input]), signal));
  if (typeof input?.[Symbol.asyncIterator] === "function")
    return JSON.parse(await run([...args, "-"], Readable.from(input), signal));
  throw new TypeError("expected a path, an array of paths, a Uint8Array or a stream");
}
