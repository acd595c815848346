// Reads what h5wasm does not provide from the bytes of the file: the fill value of a dataset and its
// exact datatype. Reads the object header messages of the HDF5 file format, version 3.

const FILL_VALUE = 0x05, DATATYPE = 0x03, CONTINUATION = 0x10;

class Cursor {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }
  skip(n) { this.at += n; return this; }
  u8() { return this.view.getUint8(this.at++); }
  u16() { this.at += 2; return this.view.getUint16(this.at - 2, true); }
  u24() { return this.u16() | this.u8() << 16; }
  u32() { this.at += 4; return this.view.getUint32(this.at - 4, true); }
  address() { this.at += 8; return Number(this.view.getBigUint64(this.at - 8, true)); }
  take(n) { this.at += n; return this.bytes.subarray(this.at - n, this.at); }
  text() {
    const end = this.bytes.indexOf(0, this.at);
    return new TextDecoder().decode(this.take(end - this.at));
  }
}

// The messages of an object header, continuation blocks included: {type, flags, data}.
function messages(file, address) {
  const found = [], version2 = String.fromCharCode(...file.subarray(address, address + 4)) === "OHDR";
  const blocks = [];
  let tracked = false;
  const c = new Cursor(file, address);
  if (version2) {
    const flags = c.skip(5).u8();
    c.skip((flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0));
    tracked = (flags & 0x04) !== 0;
    const size = [() => c.u8(), () => c.u16(), () => c.u32(), () => c.address()][flags & 3]();
    blocks.push([c.at, c.at + size]);
  } else {
    const size = c.skip(8).u32();
    blocks.push([address + 16, address + 16 + size]);
  }
  for (const [start, end] of blocks) {
    const m = new Cursor(file, start);
    while (m.at + (version2 ? 4 : 8) <= end) {
      const type = version2 ? m.u8() : m.u16(), size = m.u16(), flags = m.u8();
      if (version2) m.skip(tracked ? 2 : 0); else m.skip(3);
      const data = m.take(size);
      if (type === CONTINUATION) {
        const to = new Cursor(data), where = to.address(), length = to.address();
        // A version 2 block starts with OCHK and ends with a checksum.
        blocks.push(version2 ? [where + 4, where + length - 4] : [where, where + length]);
      } else {
        found.push({ type, flags, data });
      }
    }
  }
  return found;
}

function datatype(c) {
  const first = c.u8(), bits = c.u24(), size = c.u32(), version = first >> 4, start = c.at;
  const order = bits & 1 ? "big" : "little";
  const padded = (name) => version < 3 ? c.skip((8 - (name.length + 1) % 8) % 8 + 1) : c.skip(1);
  const name = () => { const at = c.at, text = c.text(); padded({ length: c.at - at }); return text; };
  switch (first & 15) {
    case 0: case 4: {
      const offset = c.u16(), precision = c.u16();
      const made = { class: (first & 15) === 4 ? "bitfield" : "integer", size, order };
      if (made.class === "integer") made.signed = (bits & 8) !== 0;
      if (precision !== 8 * size) Object.assign(made, { precision }, offset ? { offset } : {});
      return made;
    }
    case 1: {
      const offset = c.u16(), precision = c.u16(), p = [...c.take(4)], bias = c.u32();
      const ieee = { 2: [10, 5, 0, 10, 15], 4: [23, 8, 0, 23, 127], 8: [52, 11, 0, 52, 1023] }[size];
      const standard = ieee && !offset && [...p, bias].every((x, i) => x === ieee[i]);
      return { class: "float", size, order, ...(standard ? {} : { precision }) };
    }
    case 2: c.skip(2); return { class: "time", size, order };
    case 3: return { class: "string", size, charset: bits >> 4 & 15 ? "utf-8" : "ascii",
                     padding: ["null-term", "null-pad", "space-pad"][bits & 15] };
    case 5: {
      const length = bits & 255, tag = new TextDecoder().decode(c.take(length)).replace(/\0+$/, "");
      return { class: "opaque", size, tag };
    }
    case 6: {
      const fields = [], width = size < 2 ** 8 ? 1 : size < 2 ** 16 ? 2 : size < 2 ** 24 ? 3 : 4;
      const offsets = [];
      for (let i = 0; i < (bits & 0xffff); ++i) {
        const field = name();
        offsets.push(version < 3 ? c.u32() : [() => c.u8(), () => c.u16(), () => c.u24(), () => c.u32()][width - 1]());
        if (version === 1) c.skip(28);
        fields.push([field, datatype(c)]);
      }
      return { class: "compound", fields, size, offsets };
    }
    case 7: return { class: "reference", size, form: bits >> 4 && version >= 4 || (bits & 15) > 1
                       ? "standard" : bits & 15 ? "region" : "object" };
    case 8: {
      const base = datatype(c), count = bits & 0xffff, names = [];
      for (let i = 0; i < count; ++i) names.push(name());
      return { class: "enum", base, size, members: names.map((n) => [n, integer(base, c.take(base.size))]) };
    }
    case 9: {
      const base = datatype(c);
      if ((bits & 15) === 1)
        return { class: "string", size: "variable", stored: size, charset: bits >> 8 & 15 ? "utf-8" : "ascii" };
      return { class: "vlen", base, stored: size };
    }
    case 10: {
      const rank = c.u8();
      if (version < 3) c.skip(3);
      const dims = Array.from({ length: rank }, () => c.u32());
      if (version < 3) c.skip(4 * rank);
      return { class: "array", dims, base: datatype(c), size };
    }
    default: c.at = start; return { class: "unknown", size };
  }
}

// A decimal string from the stored bytes of an integer.
export function integer(type, stored) {
  const bytes = type.order === "big" ? stored : [...stored].reverse();
  let bits = 0n;
  for (const byte of bytes) bits = bits << 8n | BigInt(byte);
  const precision = type.precision ?? 8 * type.size;
  bits = BigInt.asUintN(precision, bits >> BigInt(type.offset ?? 0));
  return String(type.signed ? BigInt.asIntN(precision, bits) : bits);
}

// A variable-length element as stored in the file: length, heap address, index.
function heapBytes(file, stored, itemBytes) {
  const c = new Cursor(stored), length = c.u32(), address = c.address(), wanted = c.u32();
  if (length === 0) return { length, bytes: new Uint8Array() };
  const heap = new Cursor(file, address + 8), end = address + heap.address();
  while (heap.at + 16 <= end) {
    const index = heap.u16(), size = heap.skip(6).address();
    if (index === wanted) return { length, bytes: heap.take(length * itemBytes) };
    if (index === 0) break;
    heap.skip(Math.ceil(size / 8) * 8);
  }
  throw new Error("a heap object is missing");
}

// The datatype and the fill value of the dataset whose object header is at `address`. The fill value is
// undefined unless the writer set it; otherwise it is {type, bytes}, or {text} for a string of
// variable length.
export function datasetHeader(file, address) {
  let type, fill;
  for (const message of messages(file, address)) {
    if (message.type === DATATYPE) {
      const shared = (message.flags & 2) !== 0;
      const where = shared && new Cursor(message.data, 2).address();
      const data = shared ? messages(file, where).find((m) => m.type === DATATYPE).data : message.data;
      type = datatype(new Cursor(data));
    }
    if (message.type === FILL_VALUE) {
      const c = new Cursor(message.data), version = c.u8();
      const defined = version === 3 ? (c.u8() & 0x20) !== 0 : (c.skip(2).u8() === 1);
      if (defined || version === 1) {
        const size = c.u32();
        if (size > 0 && size < 2 ** 31) fill = c.take(size);
      }
    }
  }
  if (fill && type.size === "variable")
    return { type, fill: { text: heapBytes(file, fill, 1).bytes } };
  if (fill && type.class === "vlen") {
    const { length, bytes } = heapBytes(file, fill, type.base.size);
    return { type, fill: { length, bytes } };
  }
  return { type, fill: fill && { bytes: fill } };
}
