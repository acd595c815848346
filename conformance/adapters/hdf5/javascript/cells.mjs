// Values in the notation of conformance/protocol-hdf5.md, and what the two programs share.

// The encoding of a number, most significant digit first.
export function float(value, size) {
  const view = new DataView(new ArrayBuffer(8));
  if (size === 4) view.setFloat32(0, value);
  else if (size === 8) view.setFloat64(0, value);
  else throw new Error(`a float of ${size} bytes`);
  return { bits: Buffer.from(view.buffer, 0, size).toString("hex") };
}

// The message of an error; of an error stack of libhdf5, that of the innermost function.
export function reason(error) {
  const text = String(error?.message ?? error);
  return (text.match(/^ +#\d+: .*\(\): (.*)$/gm)?.at(-1).replace(/^.*\(\): /, "") ?? text).slice(0, 300);
}

// What the library refuses is stated in the entry.
export function refusals(entry, read) {
  try {
    read();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    entry.refused ??= reason(error);
  }
}

export const product = (shape) => shape.reduce((count, size) => count * Number(size), 1);
