// Converts between apache-arrow's objects and the notation of the protocol. The reported values are
// the stored ones; the library's conversions to numbers and dates, which lose digits, are not used.
const UNITS = ["s", "ms", "us", "ns"], DATES = ["day", "ms"], INTERVALS = ["year-month", "day-time", "month-day-nano"];

export class Refused extends Error {}

export function notation(arrow) {
  const { DataType, Type } = arrow;
  const NAMES = { [Type.Null]: "null", [Type.Binary]: "binary", [Type.Utf8]: "utf8", [Type.Bool]: "bool", [Type.List]: "list",
                  [Type.Struct]: "struct", [Type.LargeBinary]: "large-binary", [Type.LargeUtf8]: "large-utf8",
                  [Type.LargeList]: "large-list", [Type.BinaryView]: "binary-view", [Type.Utf8View]: "utf8-view" };

  function type(of) {
    if (NAMES[of.typeId]) return { class: NAMES[of.typeId] };
    switch (of.typeId) {
      case Type.Int: return { class: "int", bits: of.bitWidth, signed: of.isSigned };
      case Type.Float: return { class: "float", bits: 16 << of.precision };
      case Type.Decimal: return { class: "decimal", precision: of.precision, scale: of.scale, bits: of.bitWidth };
      case Type.Date: return { class: "date", unit: DATES[of.unit] };
      case Type.Time: return { class: "time", unit: UNITS[of.unit], bits: of.bitWidth };
      case Type.Timestamp: return { class: "timestamp", unit: UNITS[of.unit], timezone: of.timezone || null };
      case Type.Interval: return { class: "interval", unit: INTERVALS[of.unit] };
      case Type.Duration: return { class: "duration", unit: UNITS[of.unit] };
      case Type.Union: return { class: "union", mode: of.mode ? "dense" : "sparse", ids: [...of.typeIds] };
      case Type.FixedSizeBinary: return { class: "fixed-size-binary", size: of.byteWidth };
      case Type.FixedSizeList: return { class: "fixed-size-list", size: of.listSize };
      case Type.Map: return { class: "map", sorted: of.keysSorted };
      default: throw new Refused(`the type ${of}`);
    }
  }

  const pairs = (map) => [...map];

  function field(of) {
    const encoded = DataType.isDictionary(of.type), plain = encoded ? of.type.dictionary : of.type;
    const made = { name: of.name, nullable: of.nullable, type: type(plain) };
    if (encoded) made.dictionary = { index: type(of.type.indices), ordered: of.type.isOrdered };
    made.children = (plain.children ?? []).map(field);
    made.metadata = pairs(of.metadata);
    return made;
  }

  const base64 = (bytes) => ({ bytes: Buffer.from(bytes).toString("base64") });

  function text(bytes) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return base64(bytes);
    }
  }

  // Bytes [at, at + size) of a typed array.
  function bytesOf(values, at, size) {
    if (at + size > values.byteLength) throw new Error("an array that is too short");
    return new Uint8Array(values.buffer, values.byteOffset + at, size);
  }

  function integer(bytes, signed) {
    let made = 0n;
    for (let i = bytes.length; i-- > 0;) made = made << 8n | BigInt(bytes[i]);
    return String(signed ? BigInt.asIntN(8 * bytes.length, made) : made);
  }

  const slice = (child, begin, end) => Array.from({ length: Number(end) - Number(begin) }, (_, i) => cell(child, Number(begin) + i));

  // Slot i of a chunk of data.
  function cell(data, i) {
    if (i < 0 || i >= data.length) throw new Error("a slot that there is not");
    const of = data.type, values = data.values, ends = data.valueOffsets;
    if (DataType.isUnion(of)) {
      const id = data.typeIds[i], child = data.children[of.typeIdToChildIndex[id]];
      return { id, value: cell(child, DataType.isDenseUnion(of) ? ends[i] : i) };
    }
    if (DataType.isNull(of) || !data.getValid(i)) return null;
    const fixed = (size, signed = true) => integer(bytesOf(values, i * size, size), signed);
    switch (of.typeId) {
      case Type.Dictionary: {
        let key = Number(values[i]);
        for (const chunk of data.dictionary.data) {
          if (key < chunk.length) return cell(chunk, key);
          key -= chunk.length;
        }
        throw new Error("a key beyond its dictionary");
      }
      case Type.Bool: return (values[i >> 3] >> (i & 7) & 1) === 1;
      case Type.Int: return fixed(of.bitWidth / 8, of.isSigned);
      case Type.Float: return { bits: Buffer.from(bytesOf(values, i * (2 << of.precision), 2 << of.precision)).reverse().toString("hex") };
      case Type.Decimal: return fixed(of.bitWidth / 8);
      case Type.Date: return fixed(of.unit ? 8 : 4);
      case Type.Time: return fixed(of.bitWidth / 8);
      case Type.Timestamp: case Type.Duration: return fixed(8);
      case Type.Interval:
        if (of.unit === 0) return fixed(4);
        if (of.unit === 1) return [0, 4].map((at) => integer(bytesOf(values, 8 * i + at, 4), true));
        return [0, 4, 8].map((at) => integer(bytesOf(values, 16 * i + at, at < 8 ? 4 : 8), true));
      case Type.BinaryView: return base64(new arrow.Vector([data]).get(i));
      case Type.Utf8View: return new arrow.Vector([data]).get(i);
      case Type.FixedSizeBinary: return base64(bytesOf(values, i * of.byteWidth, of.byteWidth));
      case Type.Utf8: case Type.LargeUtf8: return text(bytesOf(values, Number(ends[i]), Number(ends[i + 1]) - Number(ends[i])));
      case Type.Binary: case Type.LargeBinary: return base64(bytesOf(values, Number(ends[i]), Number(ends[i + 1]) - Number(ends[i])));
      case Type.List: case Type.LargeList: case Type.Map: return slice(data.children[0], ends[i], ends[i + 1]);
      case Type.FixedSizeList: return slice(data.children[0], i * of.listSize, (i + 1) * of.listSize);
      case Type.Struct: return data.children.map((child) => cell(child, i));
      default: throw new Refused(`the type ${of}`);
    }
  }

  function column(data) {
    if (data.length > 1_000_000) throw new Refused(`an array of ${data.length} slots`);
    return Array.from({ length: data.length }, (_, i) => cell(data, i));
  }

  return { field, pairs, column };
}

// The reverse: data from a description.
export function building(arrow) {
  const { Field, makeData, Vector } = arrow;

  function type(of, children) {
    switch (of.class) {
      case "null": return new arrow.Null();
      case "int": return new arrow.Int(of.signed, of.bits);
      case "float": return new arrow.Float({ 16: 0, 32: 1, 64: 2 }[of.bits]);
      case "binary": return new arrow.Binary();
      case "utf8": return new arrow.Utf8();
      case "large-binary": return new arrow.LargeBinary();
      case "large-utf8": return new arrow.LargeUtf8();
      case "binary-view": return new arrow.BinaryView();
      case "utf8-view": return new arrow.Utf8View();
      case "bool": return new arrow.Bool();
      case "decimal": return new arrow.Decimal(of.scale, of.precision, of.bits);
      case "date": return new arrow.Date_(DATES.indexOf(of.unit));
      case "time": return new arrow.Time(UNITS.indexOf(of.unit), of.bits);
      case "timestamp": return new arrow.Timestamp(UNITS.indexOf(of.unit), of.timezone);
      case "interval": return new arrow.Interval(INTERVALS.indexOf(of.unit));
      case "duration": return new arrow.Duration(UNITS.indexOf(of.unit));
      case "list": return new arrow.List(children[0]);
      case "large-list": return new arrow.LargeList(children[0]);
      case "struct": return new arrow.Struct(children);
      case "union": return new arrow.Union(of.mode === "dense" ? 1 : 0, of.ids, children);
      case "fixed-size-binary": return new arrow.FixedSizeBinary(of.size);
      case "fixed-size-list": return new arrow.FixedSizeList(of.size, children[0]);
      case "map": return new arrow.Map_(children[0], of.sorted);
      default: throw new Refused(`the type ${of.class}`);
    }
  }

  // Dictionaries belong to a whole table: `words` has the values of each, by field.
  function field(of, words) {
    let made = type(of.type, of.children.map((child) => field(child, words)));
    if (of.dictionary) {
      made = new arrow.Dictionary(made, type(of.dictionary.index), words.size, of.dictionary.ordered);
      words.set(of, { values: [], keys: new Map(), type: made });
    }
    return new Field(of.name ?? "", made, of.nullable, new Map(of.metadata ?? []));
  }

  const raw = (value) => value === null ? Buffer.alloc(0)
    : typeof value === "string" ? Buffer.from(value) : Buffer.from(value.bytes, "base64");

  function bits(flags) {
    const made = new Uint8Array((flags.length + 7) >> 3);
    flags.forEach((flag, i) => { if (flag) made[i >> 3] |= 1 << (i & 7); });
    return made;
  }

  // Integers of `size` bytes each in an array of the kind that the library uses for the type.
  function numbers(of, values, size) {
    const bytes = Buffer.alloc(values.length * size);
    values.forEach((value, i) => {
      let rest = BigInt.asUintN(8 * size, value === null ? 0n : BigInt(value?.bits ? `0x${value.bits}` : value));
      for (let k = 0; k < size; ++k, rest >>= 8n) bytes[i * size + k] = Number(rest & 255n);
    });
    const Kind = of.ArrayType ?? Int32Array;
    const copy = new Uint8Array(bytes);
    return new Kind(copy.buffer, 0, copy.byteLength / Kind.BYTES_PER_ELEMENT);
  }

  function ends(pieces, large) {
    const made = large ? new BigInt64Array(pieces.length + 1) : new Int32Array(pieces.length + 1);
    pieces.forEach((piece, i) => { made[i + 1] = large ? made[i] + BigInt(piece.length) : made[i] + piece.length; });
    return made;
  }

  // Views and one data buffer with the values that are longer than 12 bytes.
  function views(pieces) {
    const made = Buffer.alloc(16 * pieces.length), long = [];
    let at = 0;
    pieces.forEach((piece, i) => {
      made.writeInt32LE(piece.length, 16 * i);
      piece.copy(made, 16 * i + 4, 0, piece.length > 12 ? 4 : piece.length);
      if (piece.length <= 12) return;
      made.writeInt32LE(at, 16 * i + 12);
      at += piece.length;
      long.push(piece);
    });
    return { views: new Uint8Array(made), variadicBuffers: at ? [new Uint8Array(Buffer.concat(long))] : [] };
  }

  // Intervals of months, days and nanoseconds.
  function parts(values) {
    const made = new DataView(new ArrayBuffer(16 * values.length));
    values.forEach((value, i) => {
      const [months, days, nanoseconds] = value ?? [0, 0, 0];
      made.setInt32(16 * i, Number(months), true);
      made.setInt32(16 * i + 4, Number(days), true);
      made.setBigInt64(16 * i + 8, BigInt(nanoseconds), true);
    });
    return made.buffer;
  }

  function data(of, made, values, words) {
    const length = values.length, nullCount = values.filter((value) => value === null).length;
    const nulls = nullCount ? { nullCount, nullBitmap: bits(values.map((value) => value !== null)) } : { nullCount };
    if (of.dictionary) {
      const known = words.get(of);
      const keys = values.map((value) => {
        const word = JSON.stringify(value);
        if (value !== null && !known.keys.has(word)) known.keys.set(word, known.values.push(value) - 1);
        return value === null ? 0 : known.keys.get(word);
      });
      known.made ??= [];
      const chunk = { type: made, length, ...nulls, data: numbers(made.indices, keys, of.dictionary.index.bits / 8) };
      return makeData({ ...chunk, dictionary: known.vector });
    }
    const below = (i, inner) => data(of.children[i], made.children[i].type, inner, words);
    const size = { date: of.type.unit === "day" ? 4 : 8, timestamp: 8, duration: 8 }[of.type.class] ?? of.type.bits / 8;
    switch (of.type.class) {
      case "null": return makeData({ type: made, length, nullCount: length });
      case "bool": return makeData({ type: made, length, ...nulls, data: bits(values) });
      case "utf8": case "binary": case "large-utf8": case "large-binary": {
        const pieces = values.map(raw);
        return makeData({ type: made, length, ...nulls, valueOffsets: ends(pieces, of.type.class.startsWith("large")), data: new Uint8Array(Buffer.concat(pieces)) });
      }
      case "utf8-view": case "binary-view":
        return makeData({ type: made, length, ...nulls, ...views(values.map(raw)) });
      case "fixed-size-binary":
        return makeData({ type: made, length, ...nulls, data: new Uint8Array(Buffer.concat(values.map((value) => value === null ? Buffer.alloc(of.type.size) : raw(value)))) });
      case "list": case "large-list": case "map": {
        const pieces = values.map((value) => value ?? []);
        return makeData({ type: made, length, ...nulls, valueOffsets: ends(pieces, of.type.class === "large-list"), child: below(0, pieces.flat()) });
      }
      case "fixed-size-list":
        return makeData({ type: made, length, ...nulls, child: below(0, values.flatMap((value) => value ?? Array(of.type.size).fill(null))) });
      case "struct":
        return makeData({ type: made, length, ...nulls, children: of.children.map((_, i) => below(i, values.map((value) => value === null ? null : value[i]))) });
      case "union": {
        const typeIds = Int8Array.from(values, (value) => value.id), column = (id) => values.filter((value) => value.id === id).map((value) => value.value);
        if (of.type.mode === "sparse")
          return makeData({ type: made, length, typeIds, children: of.type.ids.map((id, i) => below(i, values.map((value) => value.id === id ? value.value : null))) });
        const seen = {}, valueOffsets = Int32Array.from(values, ({ id }) => (seen[id] = (seen[id] ?? -1) + 1));
        return makeData({ type: made, length, typeIds, valueOffsets, children: of.type.ids.map((id, i) => below(i, column(id))) });
      }
      case "interval": {
        if (of.type.unit === "year-month") return makeData({ type: made, length, ...nulls, data: numbers(made, values, 4) });
        if (of.type.unit === "month-day-nano") return makeData({ type: made, length, ...nulls, data: new Int32Array(parts(values)) });
        return makeData({ type: made, length, ...nulls, data: numbers(made, values.flatMap((value) => value ?? [0, 0]), 4) });
      }
      default: return makeData({ type: made, length, ...nulls, data: numbers(made, values, size) });
    }
  }

  // The table of a description. Every dictionary is built before the data that has keys of it: once
  // to collect its words, once to keep them.
  return function table(description) {
    const words = new Map();
    const fields = description.fields.map((each) => field(each, words));
    const schema = new arrow.Schema(fields, new Map(description.metadata ?? []));
    const columns = () => description.batches.map(({ columns }) => columns.map((values, i) => data(description.fields[i], fields[i].type, values, words)));
    columns();
    for (const [of, known] of words)
      known.vector = new Vector([data({ ...of, dictionary: undefined }, known.type.dictionary, known.values, words)]);
    const batches = columns().map((children, i) => new arrow.RecordBatch(schema,
      makeData({ type: new arrow.Struct(fields), length: Number(description.batches[i].rows), nullCount: 0, children })));
    return new arrow.Table(schema, batches);
  };
}
