// A reader of HEP001 tables on h5wasm that speaks the protocol of the harness. It uses no search indexes.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import h5wasm from "h5wasm/node";
import { datasetHeader, integer } from "./header.mjs";
import { Lists } from "./lists.mjs";

const Module = await h5wasm.ready;
Module.deactivate_throwing_error_handler();
const POINTER = 4;  // bytes, in the memory of the library
let newer = false;  // tables are of a revision with list columns and boolean columns; stated in hello

class Refused extends Error {}
class Unsupported extends Error {}

// Datatypes and values

// A type of the notation; `layout` is an addition of this program.
function notation(type) {
  const { offsets, stored, ...made } = type;
  if (made.base) made.base = notation(made.base);
  if (made.fields) made.fields = made.fields.map(([name, inner]) => [name, notation(inner)]);
  if (["compound", "array", "enum", "vlen", "reference"].includes(made.class)) delete made.size;
  return made;
}

const raw = (bytes) => ({ bytes: Buffer.from(bytes).toString("base64") });

function text(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return raw(bytes);
  }
}

function strip(bytes, padding) {
  let end = bytes.length;
  if (padding === "null-term") end = bytes.includes(0) ? bytes.indexOf(0) : end;
  else while (end > 0 && bytes[end - 1] === (padding === "space-pad" ? 32 : 0)) --end;
  return bytes.subarray(0, end);
}

// The size of an element in the memory of the library, where pointers are 4 bytes wide.
function memorySize(type) {
  if (type.class === "string" && type.size === "variable") return POINTER;
  if (type.class === "vlen") return 2 * POINTER;
  if (type.class === "array") return type.dims.reduce((n, d) => n * d, memorySize(type.base));
  return type.size;
}

// An element in the byte order of `type`.
function decode(type, bytes, offsets) {
  switch (type.class) {
    case "integer": return integer(type, bytes);
    case "enum": return integer(type.base, bytes);
    case "float":
      if (type.precision) return raw(bytes);
      return { bits: Buffer.from(type.order === "big" ? bytes : [...bytes].reverse()).toString("hex") };
    case "string": {
      if (type.size !== "variable") return text(strip(bytes, type.padding));
      const at = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
      return at ? text(Module.HEAPU8.slice(at, Module.HEAPU8.indexOf(0, at))) : "";
    }
    case "compound":
      return type.fields.map(([, inner], i) =>
        decode(inner, bytes.subarray((offsets ?? type.offsets)[i], (offsets ?? type.offsets)[i] + memorySize(inner))));
    case "array": case "vlen": {
      const size = memorySize(type.base);
      let items = bytes;
      if (type.class === "vlen") {
        const view = new DataView(bytes.buffer, bytes.byteOffset), at = view.getUint32(POINTER, true);
        items = Module.HEAPU8.slice(at, at + view.getUint32(0, true) * size);
      }
      return Array.from({ length: items.length / size }, (_, i) => decode(type.base, items.subarray(i * size, (i + 1) * size)));
    }
    default: return raw(bytes);
  }
}

// A value that is reported as its bytes, in the byte order of the file.
const isPlain = (type) => type.class === "bitfield" || type.class === "time" || (type.class === "float" && type.precision);

// h5wasm returns numbers, and values composed of them, in little-endian order; enumerations,
// compounds and strings are returned as stored.
function inMemory(type) {
  if (type.class === "array" || type.class === "vlen") return { ...type, base: inMemory(type.base) };
  return type.order && !isPlain(type) ? { ...type, order: "little" } : type;
}

// Elements of a dataset or an attribute; the callback reads `n` bytes to an address.
function elements(type, count, metadata, read) {
  if (count === 0) return [];
  const size = metadata.size, at = Module._malloc(count * size);
  try {
    if (read(BigInt(at)) < 0) throw new Error("the library cannot read it");
    const bytes = Module.HEAPU8.slice(at, at + count * size);
    const offsets = metadata.compound_type?.members.map((member) => member.offset);
    const memory = inMemory(type);
    const swapped = isPlain(type) && type.order === "big";
    return Array.from({ length: count }, (_, i) => {
      const one = bytes.subarray(i * size, (i + 1) * size);
      return swapped ? raw([...one].reverse()) : decode(memory, one, offsets);
    });
  } finally {
    Module._free(at);
  }
}

function number(value) {
  const bits = Buffer.from(value.bits, "hex");
  if (bits.length === 8) return bits.readDoubleBE();
  if (bits.length === 4) return bits.readFloatBE();
  const half = bits.readUInt16BE(), exponent = half >> 10 & 31, mantissa = half & 1023, sign = half >> 15 ? -1 : 1;
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  return sign * (exponent ? (mantissa + 1024) * 2 ** (exponent - 25) : mantissa * 2 ** -24);
}

const isNan = (value) => value?.bits !== undefined && Number.isNaN(number(value));

// The parts of an element that contain its value; the others are for display.
const plain = (value) => Array.isArray(value) ? value.map(plain) : value?.bits ?? value;

// An enumeration over one byte of exactly FALSE = 0 and TRUE = 1.
function isBoolean(type) {
  return type.class === "enum" && type.base.size === 1 &&
         JSON.stringify([...type.members].sort()) === '[["FALSE","0"],["TRUE","1"]]';
}

// A value in comparable form: a number, a BigInt, or bytes in hexadecimal.
function key(type, value) {
  if (type.class === "integer" || type.class === "enum") return BigInt(value);
  if (value?.bits !== undefined) return number(value) + 0;
  if (value?.bytes !== undefined) return Buffer.from(value.bytes, "base64").toString("hex");
  return typeof value === "string" ? Buffer.from(value).toString("hex") : JSON.stringify(plain(value));
}

// Tables

class File {
  constructor(path) {
    this.bytes = new Uint8Array(readFileSync(path));
    this.file = new h5wasm.File(path, "r");
    if (this.file.file_id < 0n) throw new Error("the library cannot open the file");
  }
  close() { this.file.close(); }

  // A legacy object reference consists of the address of an object header.
  address(path) {
    const reference = Uint8Array.from(Module.create_object_reference(this.file.file_id, path));
    return Number(new DataView(reference.buffer).getBigUint64(0, true));
  }
  hasAttribute(path, name) { return Module.get_attribute_names(this.file.file_id, path).includes(name); }

  attribute(path, name) {
    if (!this.hasAttribute(path, name)) return [];
    const metadata = Module.get_attribute_metadata(this.file.file_id, path, name);
    const id = this.file.file_id;
    const count = metadata.shape === null ? 0 : metadata.total_size;
    return elements(attributeType(metadata), count, metadata,
                    (at) => Module.get_attribute_data(id, path, name, at));
  }
  text(path, name) {
    const values = this.attribute(path, name);
    return values.length === 1 && typeof values[0] === "string" ? values[0] : null;
  }

  // The paths of the objects in an attribute of H5T_STD_REF references. An element in memory begins with
  // the token of the object, which begins with the address of its header.
  references(path, name) {
    if (!this.hasAttribute(path, name)) return [];
    const metadata = Module.get_attribute_metadata(this.file.file_id, path, name);
    if (metadata.size !== 64) throw new Refused(`${name} is not of datatype H5T_STD_REF`);
    const count = metadata.total_size, id = this.file.file_id, found = [];
    if (!count) return [];
    const at = Module._malloc(64 * count);
    Module.get_attribute_data(id, path, name, BigInt(at));
    for (let i = 0; i < count; ++i) {
      const address = Module.HEAPU8.slice(at + 64 * i, at + 64 * i + 8);
      if (address.some((byte) => byte)) found.push(Module.get_referenced_name(id, address, true));
    }
    Module._free(at);
    return found;
  }

  links(path) {
    return [...Module.get_names(this.file.file_id, path, false)].map((name) => {
      const link = { name, path: (path === "/" ? "" : path) + "/" + name };
      // Soft links and external links are not hard links.
      if (Module.get_symbolic_link(this.file.file_id, link.path) !== null ||
          Module.get_external_link(this.file.file_id, link.path)?.filename !== undefined) return link;
      try {
        // For a link that the library cannot follow, get_type reports a group.
        Module.get_attribute_names(this.file.file_id, link.path);
        link.type = Module.get_type(this.file.file_id, link.path);
      } catch {
        link.type = undefined;  // a dangling link
      }
      return link;
    });
  }

  tables() {
    const found = [], seen = new Set(), queue = ["/"];
    for (const path of queue) {
      const address = this.address(path);
      if (seen.has(address)) continue;
      seen.add(address);
      if (this.text(path, "CLASS") === "COLUMN_TABLE") found.push(path);
      else queue.push(...this.links(path).filter((link) => link.type === Module.H5G_GROUP).map((link) => link.path));
    }
    return found;
  }
}

// The datatype of an attribute, from the description by h5wasm: sufficient for attributes of HEP001.
function attributeType(m) {
  const order = m.littleEndian ? "little" : "big", size = m.size;
  switch (m.type) {
    case 0: return { class: "integer", size, order, signed: m.signed };
    case 1: return { class: "float", size, order };
    case 3: return m.vlen ? { class: "string", size: "variable" }
                          : { class: "string", size, padding: ["null-term", "null-pad", "space-pad"][m.strpad] };
    case 8: return { class: "enum", size, base: { class: "integer", size, order, signed: true } };
    default: return { class: "unknown", size };
  }
}

class Table {
  constructor(file, path) {
    Object.assign(this, { file, path, diagnostics: [] });
    if (file.text(path, "CLASS") !== "COLUMN_TABLE") throw new Refused(`${path} is not a table group`);
    this.version = file.text(path, "VERSION") ?? "";
    const major = /^[0-9]+/.exec(this.version);
    if (!major) throw new Refused(`VERSION "${this.version}" is none`);
    if (BigInt(major[0]) > 1n) throw new Refused(`VERSION ${this.version} is of a later major revision`);
    const rows = file.attribute(path, "NROWS");
    if (rows.length !== 1) throw new Refused(`${path} has no NROWS`);
    this.rows = Number(rows[0]);
    this.columns = this.findColumns();
  }

  findColumns() {
    const columns = [];
    for (const { name, path, type } of this.file.links(this.path)) {
      if (type === Module.H5G_DATASET) {
        const column = this.dataset(path);
        if (column.metadata.shape?.length === 1) {
          columns.push({ name, ...column });
          continue;
        }
      } else if (type === Module.H5G_GROUP && (name === "CATEGORIES" || name === "SEARCH_INDEXES")) {
        continue;
      } else if (newer && type === Module.H5G_GROUP && this.lists.isList(path)) {
        columns.push({ name, path, type: this.lists.describe(path) });
        continue;
      }
      this.diagnostics.push({ path, message: "HEP001 does not describe this object" });
    }
    for (const column of columns)
      if (newer && this.isLater(column))
        this.diagnostics.push({ path: column.path, message: "this column follows a later revision" });
    const order = this.file.attribute(this.path, "column-order");
    const place = ({ name }) => order.includes(name) ? order.indexOf(name) : order.length;
    return columns.sort((a, b) => place(a) - place(b));
  }

  dataset(path) {
    const metadata = Module.get_dataset_metadata(this.file.file.file_id, path);
    return { path, metadata, ...datasetHeader(this.file.bytes, this.file.address(path)) };
  }

  get lists() {
    const kinds = new Map([[Module.H5G_GROUP, "group"], [Module.H5G_DATASET, "dataset"]]);
    const place = (path) => path.lastIndexOf("/");
    return new Lists({
      text: (path, attribute) => this.file.text(path, attribute), decode: text,
      member: (path) => kinds.get(this.file.links(path.slice(0, place(path)) || "/")
        .find((link) => link.name === path.slice(place(path) + 1))?.type),
      leaf: (path) => this.dataset(path),
      read: (leaf, first, count) => this.present(leaf, first, count) });
  }

  // Whether only a later revision can read it.
  isLater({ path, type }) {
    return type.class === "list" ? !type.base : this.file.hasAttribute(path, "MASK");
  }

  column(name) {
    const column = this.columns.find((one) => one.name === name);
    if (!column) throw new Error(`${this.path} has no column ${name}`);
    return column;
  }

  stored({ path, metadata, type }, first, count) {
    if (type.class === "list") return this.lists.entries(path, first, count);
    return elements(type, count, metadata, (at) =>
      Module.get_dataset_data(this.file.file.file_id, path, [BigInt(count)], [BigInt(first)], [1n], at));
  }

  fill({ type, fill }) {
    if (!fill) return undefined;
    if (fill.text) return text(fill.text);
    if (type.class !== "vlen") return decode(type, fill.bytes);
    const size = type.base.size;
    return Array.from({ length: fill.length }, (_, i) => decode(type.base, fill.bytes.subarray(i * size, (i + 1) * size)));
  }

  // Rows with missing values as null.
  present(column, first, count) {
    return this.stored(column, first, count).map((value) => this.missing(column, value) ? null : value);
  }

  missing(column, value) {
    const fill = this.fill(column);
    if (fill === undefined) return false;
    return isNan(fill) ? isNan(value) : key(column.type, value) === key(column.type, fill);
  }

  categories(column) {
    const [path] = this.file.references(column.path, "CATEGORIES");
    if (!path) return null;
    const metadata = Module.get_dataset_metadata(this.file.file.file_id, path);
    const { type } = datasetHeader(this.file.bytes, this.file.address(path));
    const [ordered] = this.file.attribute(path, "ordered");
    return { type: notation(type), labels: this.stored({ path, metadata, type }, 0, metadata.total_size),
             ordered: ordered !== undefined && ordered !== "0" };
  }

  describe() {
    const { file, path } = this;
    const names = new Map(this.columns.map((column) => [file.address(column.path), column.name]));
    return {
      path, version: this.version, rows: String(this.rows),
      title: file.text(path, "TITLE"), description: file.text(path, "description"),
      row_labels: file.references(path, "INDEX_COLUMNS").map((target) => {
        const name = names.get(file.address(target));
        if (name === undefined) throw new Refused("INDEX_COLUMNS leads to what is no column");
        return name;
      }),
      columns: this.columns.map((column) => ({
        name: column.name, type: notation(column.type), units: file.text(column.path, "units"),
        units_vocabulary: file.text(column.path, "units_vocabulary") ?? file.text(path, "units_vocabulary"),
        description: file.text(column.path, "description"), categories: this.categories(column),
        ...(newer ? { boolean: isBoolean(column.type) } : {}) })),
    };
  }

  read(names, first, count) {
    return this.columns.filter(({ name }) => !names || names.includes(name)).map((column) => {
      if (newer && this.isLater(column)) return { name: column.name, unreadable: "it follows a later revision" };
      const values = this.present(column, first, count);
      const made = { name: column.name, values }, categories = this.categories(column);
      if (categories) made.labels = values.map((code) => {
        if (code !== null && !(Number(code) in categories.labels)) throw new Error(`no label for code ${code}`);
        return code === null ? null : categories.labels[Number(code)];
      });
      return made;
    });
  }

  query({ column: name, test, value, min, max }) {
    const column = this.column(name), type = column.type;
    const matches = (stored) => {
      const missing = this.missing(column, stored);
      if (test === "missing") return missing;
      if (test === "nan") return isNan(stored);
      if (missing || isNan(stored)) return false;
      const k = key(type, stored);
      if (test === "equal") return k === key(type, value);
      return (min === null || k >= key(type, min)) && (max === null || k <= key(type, max));
    };
    return this.stored(column, 0, this.rows).flatMap((stored, row) => matches(stored) ? [String(row)] : []);
  }
}

// The protocol

const hello = () => ({
  protocol: 1, name: "hepcheck JavaScript adapter", language: "JavaScript",
  capabilities: {
    operations: ["describe", "read", "query"], version: "1.0", indexes: [], modes: ["lenient", "none"],
    datatypes: ["integer", "other-integer", "float", "other-float", "string", "vlen-string", "enum", "opaque",
                "bitfield", "time", "compound", "array", "vlen", ...(newer ? ["list", "text"] : [])],
    features: ["categories", "row-labels", "units", "descriptions"],
  },
});

function answer(request, diagnostics) {
  if (request.op === "hello") {
    newer = ![undefined, "hep001-2026-06-16"].includes(request.spec);
    return hello();
  }
  if (!["describe", "read", "query"].includes(request.op)) throw new Unsupported(`no operation ${request.op}`);
  const file = new File(request.file);
  try {
    if (request.op === "describe") {
      const tables = [], refused = [];
      for (const path of file.tables()) {
        try {
          const table = new Table(file, path);
          tables.push(table.describe());
          diagnostics.push(...table.diagnostics);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          refused.push({ path, reason: error.message });
        }
      }
      return { tables, refused };
    }
    const table = new Table(file, request.table);
    if (request.op === "query") return { rows: table.query(request.where), used: [] };
    const first = Number(request.first ?? 0), count = Number(request.count ?? Math.max(table.rows - first, 0));
    if (first + count > table.rows) throw new Error("there are no such rows");
    return { columns: table.read(request.columns, first, count) };
  } finally {
    file.close();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line), reply = { id: request.id }, diagnostics = [];
  try {
    reply.ok = answer(request, diagnostics);
  } catch (error) {
    const kind = error instanceof Refused ? "refused" : error instanceof Unsupported ? "unsupported" : "failed";
    reply.error = { kind, message: String(error.message ?? error) };
    if (kind === "failed") console.error(error);
  }
  if (diagnostics.length) reply.diagnostics = diagnostics;
  process.stdout.write(JSON.stringify(reply) + "\n");
}
