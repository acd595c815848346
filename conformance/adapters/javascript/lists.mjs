// List columns (HEP001 of 2026-07-09, section 9): rows as arrays, null for a null one. A level is a
// group with OFFSETS, optionally MASK, and VALUES, which is a leaf dataset or another level; for strings a
// group with OFFSETS, optionally MASK, and CHARS.

export class Lists {
  // `text(path, attribute)`; `member(path)`: "group", "dataset" or undefined; `leaf(path)`: a dataset as a
  // column; `read(leaf, first, count)`: its elements, missing ones as null; `decode`: decodes UTF-8.
  constructor(access) { Object.assign(this, access); }

  isList(path) { return this.text(path, "CLASS") === "LIST_COLUMN"; }
  isTexts(path) { return this.text(path, "CLASS") === "STRING_VALUES"; }

  // A type of the notation; without `base` if only a later revision can read it.
  describe(path) {
    if (this.member(path) === "dataset") return this.leaf(path).type;
    if (this.isTexts(path)) return { class: "text" };
    const below = path + "/VALUES";
    if (this.text(path, "KIND") !== "OFFSETS" || !this.member(below)) return { class: "list" };
    return { class: "list", base: this.describe(below) };
  }

  member_rows(path, first, count) { return this.read(this.leaf(path), first, count); }

  // Entries [first, first + count) of a level, or elements of a leaf.
  entries(path, first, count) {
    if (this.member(path) === "dataset") return this.member_rows(path, first, count);
    const borders = count ? this.member_rows(path + "/OFFSETS", first, count + 1).map(Number) : [0];
    const start = borders[0], total = borders.at(-1) - start;
    const texts = this.isTexts(path);
    const below = texts ? Uint8Array.from(this.member_rows(path + "/CHARS", start, total), Number)
                        : this.entries(path + "/VALUES", start, total);
    const present = this.member(path + "/MASK") ? this.member_rows(path + "/MASK", first, count) : null;
    return Array.from({ length: count }, (_, i) => {
      if (present && present[i] === "0") return null;
      const entry = below.slice(borders[i] - start, borders[i + 1] - start);
      return texts ? this.decode(entry) : entry;
    });
  }
}
