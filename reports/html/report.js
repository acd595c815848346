// The page without scripts reports what is wrong. This script adds the rest: every clause of every table,
// filters, pictures, and addresses (#/FILE/TABLE/CLAUSE?FILTERS) of each. Rows are created on
// demand, so that a page with many findings opens as fast as a page with few.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const catalogue = new Map(data.clauses.map((clause) => [clause.id, clause]));
  // Titles that differ between specifications are joined.
  const titles = new Map();
  for (const { number, title } of Object.values(data.chapters).flat())
    titles.set(number, (titles.get(number) || new Set()).add(title));
  const chapters = new Map([...titles].map(([number, all]) => [number, [...all].join(" / ")]));
  const { subject } = data;
  const wordsOf = (table) => data.words[table.spec];
  // The subject is a program: it has no figures and parts, unlike the files that it reads or writes.
  const isProgram = (table) => table.results.some((result) => !catalogue.get(result.id).of_files);
  const capitalised = (word) => word.charAt(0).toUpperCase() + word.slice(1);

  // From the most severe to the least interesting.
  const STATES = [
    ["broken", "Broken", "✕"],
    ["warned", "Warnings", "!"],
    ["advised", "Advice", "i"],
    ["risk", "Risks", "▲"],
    ["known", "Known", "="],
    ["unchecked", "Not checked", "?"],
    ["passed", "Passed", "✓"],
    ["none", "Not applicable", "·"],
  ].map(([name, title, sign], rank) => ({ name, title, sign, rank }));
  const LEVELS = ["MUST", "SHOULD", "MAY"];
  const state = Object.fromEntries(STATES.map((each) => [each.name, each]));
  const ROWS = 100, FINDINGS = 20, TABLES = 50, COLUMNS = 30;

  function stateOf(result) {
    if (result.verdict === "fail") {
      // Findings listed in the baseline do not count.
      const open = result.findings.filter((finding) => !finding.known).map((finding) => finding.severity);
      if (result.suppressed && !result.suppressed_known) open.push(result.severity);
      if (!open.length) return state.known;
      return open.includes("error") ? state.broken : open.includes("warning") ? state.warned : result.profile ? state.risk : state.advised;
    }
    return { pass: state.passed, "not-checked": state.unchecked }[result.verdict] || state.none;
  }

  const tables = [];
  for (const result of data.results) result.state = stateOf(result);
  const shownStates = STATES.filter((each) => ![state.known, state.risk].includes(each) || data.results.some((result) => result.state === each));
  for (const file of data.report.files)
    for (const table of file.tables)
      tables.push({ file: file.path, path: table.path, verdict: table.verdict, claim: table.claim, scope: table.scope || [], reason: table.reason,
                    kind: table.kind || "table", notes: table.notes, shape: table.shape, layout: table.layout,
                    spec: table.spec || data.report.spec,
                    results: table.clauses.map((i) => data.results[i]) });
  tables.forEach((table, i) => { table.number = i; });
  if (!tables.length) return;

  // --- Making elements ------------------------------------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";

  // element("p", {class: "x", onclick: f}, "text", other): strings become text, never markup.
  function element(name, attributes, ...children) {
    const svg = ["svg", "path", "title", "rect"].includes(name);
    const made = svg ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === false || value === null || value === undefined) continue;
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }

  const number = (n) => n.toLocaleString("en").replaceAll(",", "\u202f");
  const counted = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
  const percent = (part, whole) => {
    const share = (100 * part) / whole;
    return share > 0 && share < 0.1 ? "under 0.1 %" : `${share < 10 ? +share.toFixed(1) : Math.round(share)} %`;
  };
  const sign = (of) => element("span", { class: `sign ${of.name}`, "aria-hidden": "true" }, of.sign);
  // Text of the catalogue: names of attributes and types are in backticks.
  const prose = (text) => text.split("`").map((part, i) => (i % 2 ? element("code", null, part) : part));
  const said = (text) => element("span", { class: "hidden-label" }, text);

  // --- Chapters, addresses ---------------------------------------------------------------------

  const chapterOf = (section) =>
    chapters.has(section) ? section : section.split(".")[0];
  // Within a table, use the chapter title of its specification.
  const chapterName = (chapter, spec) => {
    const own = spec && data.chapters[spec].find((each) => each.number === chapter);
    const title = own ? own.title : chapters.get(chapter) || "";
    return title.startsWith(chapter) ? title : `${chapter} ${title}`.trim();
  };

  // A subject that is its whole file is named by the file alone.
  const nameOf = (table) => (table.path === "/" ? table.file : `${table.file}:${table.path}`);
  const addressOf = (table, id) =>
    "#/" + [table.file, table.path, ...(id ? [id] : [])].map(encodeURIComponent).join("/");

  function target(way) {
    if (!way.startsWith("#/")) return null;
    let parts;
    try {
      parts = way.slice(2).split("/").map(decodeURIComponent);
    } catch {
      return null;
    }
    const table = tables.find((each) => each.file === parts[0] && each.path === parts[1]);
    return table ? { table, id: parts[2] } : null;
  }

  // --- Tables ----------------------------------------------------------------------------------

  const VERDICTS = { pass: ["conformant", state.passed], fail: ["not conformant", state.broken],
                     accepted: ["accepted", { name: "accepted", sign: "≈" }],
                     unsupported: ["unsupported", state.unchecked],
                     unchecked: ["not fully checked", state.unchecked] };
  for (const table of tables) {
    table.standing = table.claim === "accepted" ? "accepted" : table.verdict;
    table.said = table.claim === "accepted" ? VERDICTS.accepted
      : table.claim === "conformant" && table.scope.length ? [`conformant for ${table.scope.join(", ")}`, state.passed]
      : VERDICTS[table.verdict];
  }
  const usedChapters = [...new Set(data.results.map((result) => chapterOf(result.section)))]
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  // The columns of the matrix of a specification: its chapters, or its parts if the chapters are many.
  // A chapter that contains only permissions gets no column.
  const MOST_COLUMNS = 15;
  const matrices = new Map();
  for (const table of tables) {
    if (!matrices.has(table.spec)) matrices.set(table.spec, { spec: table.spec, tables: [], used: new Set() });
    const matrix = matrices.get(table.spec);
    matrix.tables.push(table);
    for (const result of table.results) if (result.state !== state.none) matrix.used.add(chapterOf(result.section));
  }
  for (const matrix of matrices.values()) {
    const partOf = (chapter) => (/^[0-9IVX]+\./.test(chapter) ? chapter.split(".")[0] : chapter);
    matrix.columnOf = matrix.used.size > MOST_COLUMNS ? (section) => partOf(chapterOf(section)) : chapterOf;
    matrix.columns = usedChapters.map(matrix.columnOf)
      .filter((column, i, all) => all.indexOf(column) === i && [...matrix.used].some((chapter) => matrix.columnOf(chapter) === column));
  }
  const NOTHING = { state: state.none, count: 0 };

  // The most severe state of each chapter of a table, and how many clauses have it.
  function byChapter(table, columnOf) {
    const found = new Map();
    for (const result of table.results) {
      const chapter = columnOf(result.section);
      const before = found.get(chapter);
      if (!before || result.state.rank < before.state.rank)
        found.set(chapter, { state: result.state, count: 1, id: result.id });
      else if (result.state === before.state) ++before.count;
    }
    return found;
  }

  function tableRow(table) {
    const [word, of] = table.said;
    const matrix = matrices.get(table.spec);
    const chapterCells = byChapter(table, matrix.columnOf);
    return element("tr", { "aria-current": table === current ? "true" : null, "data-table": table.number },
      element("th", { scope: "row" }, element("a", { href: addressOf(table) }, nameOf(table))),
      element("td", { class: "left" }, sign(of), " ", element("span", { class: `word ${of.name}` }, word)),
      ...matrix.columns.map((chapter) => {
        const { state: worst, count, id } = chapterCells.get(chapter) || NOTHING;
        const label = `${chapterName(chapter, table.spec)}: ${counted(count, "clause")} ${worst.title.toLowerCase()}`;
        if (worst === state.none || worst === state.passed)
          return element("td", { class: "cell" }, element("span", { class: "hidden-label" }, label), sign(worst));
        return element("td", { class: "cell" },
          element("a", { href: addressOf(table, id), class: worst.name, title: label },
            element("span", { "aria-hidden": "true" }, `${worst.sign} ${count}`), said(label)));
      }));
  }

  // Orders of tables: the sort key, smallest first; equal tables keep their order.
  const broken = (table) => table.results.filter((result) => result.state === state.broken).length;
  const open = (table) => table.results.filter((result) => result.state === state.unchecked).length;
  const GRAVITY = ["fail", "unchecked", "unsupported", "accepted", "pass"];
  const ORDERS = {
    worst: ["worst first", (table) => GRAVITY.indexOf(table.standing) * 1e6 - broken(table)],
    unchecked: ["most unchecked first", (table) => -open(table)],
    name: ["by name", null],
    given: ["as given", (table) => table.number],
  };
  function ordered(some, order) {
    const key = ORDERS[order][1];
    if (!key) return some.sort((a, b) => nameOf(a).localeCompare(nameOf(b), "en", { numeric: true }));
    const keys = new Map(some.map((table) => [table, key(table)]));
    return some.sort((a, b) => keys.get(a) - keys.get(b));
  }

  const listing = { verdict: "", name: "", sort: "worst" };
  let tableView = null;  // the parts of the list of tables that change

  // The subjects of a specification and its chapters, as rows and columns.
  function matrixView(matrix) {
    const title = (chapter) => chapterName(chapter, matrix.spec);
    const body = element("tbody");
    const more = element("button", { type: "button", onclick: () => grow(200) });
    const head = element("tr", null, element("th", { scope: "col" }, capitalised(subject)), element("th", { scope: "col", class: "left" }, "Verdict"),
      ...matrix.columns.map((chapter) =>
        element("th", { scope: "col", title: title(chapter) }, chapter, said(` ${title(chapter).slice(chapter.length)}`))));
    const name = matrices.size > 1 ? element("h3", null, matrix.spec) : null;
    const block = element("div", null, name,
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${capitalised(subject)}s and chapters of ${matrix.spec}` },
        element("table", { class: "matrix" }, element("thead", null, head), body)),
      element("p", { class: "more" }, more));
    let matches = [], shown = 0;
    const grow = (by) => {
      const until = Math.min(matches.length, shown + by);
      body.append(...matches.slice(shown, until).map(tableRow));
      shown = until;
      more.hidden = shown === matches.length;
      more.textContent = `Show more ${subject}s (${number(matches.length - shown)} left)`;
    };
    const fill = () => {
      const wanted = listing.name.toLowerCase();
      matches = ordered(matrix.tables.filter((table) => (!listing.verdict || table.standing === listing.verdict) &&
        nameOf(table).toLowerCase().includes(wanted)), listing.sort);
      block.hidden = !matches.length;
      body.replaceChildren();
      shown = 0;
      grow(TABLES);
      return matches.length;
    };
    const forPaper = () => {
      const wanted = matches.findLastIndex((table) => table.standing !== "pass") + 1;
      if (wanted > shown) grow(wanted - shown);
    };
    return { block, fill, forPaper };
  }

  function showTables() {
    const section = document.getElementById("tables");
    if (!section || tables.length < 2) return;
    const changed = () => {
      Object.assign(listing, { verdict: verdict.value, name: text.value, sort: sort.value });
      fill();
      remember();
    };
    const verdict = element("select", { onchange: changed },
      element("option", { value: "" }, "all verdicts"),
      ...Object.entries(VERDICTS).map(([value, [word]]) => element("option", { value }, word)));
    const text = element("input", { type: "search", oninput: changed });
    const sort = element("select", { onchange: changed },
      ...Object.entries(ORDERS).map(([value, [word]]) => element("option", { value }, word)));
    const status = element("p", { class: "quiet", role: "status" });
    const groups = [...matrices.values()].map(matrixView);
    const fill = () => {
      Object.assign(verdict, { value: listing.verdict });
      Object.assign(text, { value: listing.name });
      Object.assign(sort, { value: listing.sort });
      const matches = groups.reduce((sum, group) => sum + group.fill(), 0);
      status.textContent = `${number(matches)} of ${counted(tables.length, subject)}`;
    };
    section.replaceChildren(
      section.querySelector("h2"),
      element("div", { class: "tools" }, element("label", null, "Verdict", verdict), element("label", null, "Name contains", text), element("label", null, "Order", sort)),
      status,
      ...groups.map((group) => group.block),
      element("p", { class: "key" }, ...shownStates.map((each) => element("span", null, sign(each), each.title.toLowerCase())),
        element("span", null, "Each cell shows a chapter: its most severe state, and the number of its clauses in that state.")));
    // A printed page cannot load more rows: all tables that are not conformant come first.
    tableView = { fill, forPaper: () => { for (const group of groups) group.forPaper(); } };
    fill();
  }

  // Programs are compared clause by clause: those on which they disagree come first. Programs with
  // the same name are distinguished by their number.
  function showPrograms() {
    const section = document.getElementById("tables");
    if (!section || tables.length < 2 || !tables.every(isProgram)) return;
    const cellsOf = new Map();
    tables.forEach((table, column) => {
      for (const result of table.results) {
        if (!cellsOf.has(result.id)) cellsOf.set(result.id, { result, cells: Array(tables.length).fill(null) });
        cellsOf.get(result.id).cells[column] = result;
      }
    });
    const decided = (cell) => cell && [state.broken, state.known, state.advised, state.risk, state.warned, state.passed].includes(cell.state);
    const rows = [...cellsOf.values()].filter(({ cells }) => cells.some((cell) => cell && cell.state !== state.none))
      .map((row) => ({ ...row, differs: new Set(row.cells.filter(decided).map((cell) => cell.state)).size > 1 }))
      .sort((a, b) => b.differs - a.differs);
    const cell = (result, table) => {
      if (!result) return element("td", { class: "cell" }, said("not judged"), "–");
      const label = `${table.number + 1} ${table.file}: ${result.state.title.toLowerCase()}`;
      return element("td", { class: "cell" },
        element("a", { href: addressOf(table, result.id), class: result.state.name, title: label },
          element("span", { "aria-hidden": "true" }, result.state.sign), said(label)));
    };
    const body = element("tbody");
    const row = ({ result, cells, differs }) => element("tr", { class: differs ? "differs" : null },
      element("th", { scope: "row" }, element("code", null, result.id)),
      element("td", { class: "left" }, result.section), ...cells.map((each, i) => cell(each, tables[i])));
    const more = growing(body, rows, row, ROWS, "clauses");
    const disagreements = rows.filter((each) => each.differs).length;
    section.after(element("section", { id: "programs", "aria-labelledby": "programs-name" },
      element("h2", { id: "programs-name" }, "Clauses and programs"),
      element("p", { class: "quiet" }, `The programs disagree on ${counted(disagreements, "clause")}, which come first.`),
      element("ol", { class: "numbered" }, ...tables.map((table) => element("li", null, nameOf(table)))),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Clauses and programs" },
        element("table", { class: "matrix" },
          element("thead", null, element("tr", null, element("th", { scope: "col" }, "Clause"), element("th", { scope: "col", class: "left" }, "Section"),
            ...tables.map((table) => element("th", { scope: "col", title: nameOf(table) }, String(table.number + 1), said(` ${nameOf(table)}`))))),
          body)),
      ...(more ? [more] : [])));
  }

  // --- Columns and their pictures --------------------------------------------------------------

  // "chunks 3, 7 to 9 and 4 more places"
  function listed(unit, cells, width, last) {
    const runs = [];
    for (const [at] of cells) {
      const from = at * width, to = Math.min(last, from + width - 1);
      if (runs.length && runs.at(-1)[1] + 1 === from) runs.at(-1)[1] = to;
      else runs.push([from, to]);
    }
    const shown = runs.slice(0, 5).map(([from, to]) => (from >= to ? number(from) : `${number(from)} to ${number(to)}`));
    const rest = runs.length - shown.length;
    const one = runs.length === 1 && runs[0][0] >= runs[0][1];
    return `${unit}${one ? "" : "s"} ${shown.join(", ")}${rest > 0 ? ` and ${counted(rest, "more place")}` : ""}`;
  }

  const bar = (from, to, height, top) => `M${from} ${top}H${to}V${top + height}H${from}Z`;

  // One picture: rows run from left to right, regardless of their number. Shapes too narrow to be seen
  // are widened.
  function picture(rows, label, paths) {
    const svg = element("svg", { viewBox: `0 0 ${rows} 20`, preserveAspectRatio: "none", role: "img", "aria-label": label });
    for (const [name, d] of paths) if (d) svg.append(element("path", { class: name, d }));
    return svg;
  }

  function chunkEdges(column, rows) {
    const chunks = Math.ceil(rows / column.chunk_rows);
    if (!(chunks > 1 && chunks <= 128)) return "";
    return Array.from({ length: chunks - 1 }, (_, i) => `M${(i + 1) * column.chunk_rows} 0V20`).join("");
  }

  // `words`: the name of the lane, what is counted, and the text if the count is 0.
  function missingLane(column, rows, words = ["missing", "rows", "no row is missing"]) {
    const { rows_per_cell: step, rows: cells } = column.missing;
    const total = cells.reduce((a, b) => a + b, 0);
    if (total === 0) return lane(words[0], words[2], null, null);
    const says = `${percent(total, rows)} of the ${words[1]} (${number(total)})`;
    const shares = cells.map((count, i) => {
      const from = i * step, to = Math.min(rows, from + step);
      const height = count ? Math.max(2, (20 * count) / (to - from)) : 0;
      return height ? bar(from, to, height, 20 - height) : "";
    });
    return lane(words[0], says, picture(rows, `Missing values of ${column.name}: ${says}`,
      [["share", shares.join("")], ["edges", chunkEdges(column, rows)]]),
      (row) => {
        const i = Math.floor(row / step);
        return `${percent(cells[i], Math.min(rows, (i + 1) * step) - i * step)} missing`;
      });
  }

  function indexLane(column, map, rows) {
    if (!map.compared)
      return lane(map.kind, map.reason ? `not compared: ${map.reason}` : "not compared", null);
    const unit = { chunk: column.chunk_rows, row: 1, element: 1 }[map.unit];
    const last = Math.ceil(rows / unit) - 1;
    const total = map.differences.reduce((sum, [, count]) => sum + count, 0);
    const thin = rows / 300;
    const spans = map.differences.map(([at]) => {
      const from = at * map.width * unit, to = Math.min(rows, from + map.width * unit);
      return [from, Math.max(to, from + thin)];
    });
    const where = listed(map.unit, map.differences, map.width, last);
    if (map.unit === "element") {
      const says = total === 0 ? "in order" : `the order breaks at ${where} of the index`;
      const values = rows - (map.fill_tail || 0) - (map.nan_tail || 0);
      const ticks = map.differences.map(([at]) => `M${Math.min(rows, (at + 0.5) * map.width)} 0V20`);
      return lane(map.kind, says, picture(rows, `${map.kind} of ${column.name}: ${says}`, [
        ["ramp", values > 0 ? `M0 20L${values} 3V20Z` : ""],
        ["share", map.fill_tail ? bar(values, values + map.fill_tail, 17, 3) : ""],
        ["nan", map.nan_tail ? bar(rows - map.nan_tail, rows, 17, 3) : ""],
        ["breaks", ticks.join("")]]), null);
    }
    const says = total === 0 ? "agrees with the column"
      : `differs in ${where} (${counted(total, "difference")})`;
    return lane(map.kind, says, picture(rows, `${map.kind} of ${column.name}: ${says}`, [
      ["agrees", bar(0, rows, 20, 0)],
      ["differs", spans.map(([from, to]) => bar(from, to, 20, 0)).join("")],
      ["edges", chunkEdges(column, rows)]]),
      (row) => {
        const cell = map.differences.find(([at]) => Math.floor(row / unit / map.width) === at);
        return `${map.kind} ${cell ? counted(cell[1], "difference") : "agrees"}`;
      });
  }

  function levelLane(level) {
    const says = level.reason ? `not known: ${level.reason}`
      : `${number(level.entries)} of which ${number(level.nulls)} null and ${number(level.empty)} empty; ` +
        `${number(level.elements)} elements, ${number(level.longest)} the most`;
    return lane(level.kind === "string" ? "strings" : "lists", says, null, null);
  }

  function lane(name, says, drawn, at) {
    const made = element("div", { class: "lane" }, element("span", { class: "mono" }, name),
      drawn || element("span", { class: "quiet" }, says), drawn ? element("span", { class: "says" }, says) : null);
    made.at = at;
    return made;
  }

  // A part that is stored in clusters, from left to right.
  function clusterLanes(part) {
    const cells = part.levels || [];
    if (!cells.length || cells.some((cell) => cell.kind !== "cluster")) return [];
    const of = (key) => cells.reduce((sum, cell) => sum + (cell[key] || 0), 0);
    const bars = (share) => cells.map((cell, i) => {
      const height = Math.min(20, Math.max(share(cell) ? 2 : 0, 20 * share(cell)));
      return height ? bar(i, i + 1, height, 20 - height) : "";
    }).join("");
    const edges = cells.length > 1 ? cells.slice(1).map((_, i) => `M${i + 1} 0V20`).join("") : "";
    const drawn = (name, says, kind, share, at) => lane(name, says,
      picture(cells.length, `${capitalised(name)} of ${part.name}: ${says}`, [[kind, bars(share)], ["edges", edges]]),
      (x) => { const cell = cells[Math.min(cells.length - 1, Math.floor(x))]; return `${cell.path}: ${at(cell)}`; });
    const most = Math.max(...cells.map((cell) => cell.bytes)), plain = of("uncompressed");
    const lanes = [drawn("stored bytes", `${counted(of("bytes"), "byte")} in ${counted(of("pages"), "page")}`, "agrees",
      (cell) => (most ? cell.bytes / most : 0), (cell) => `${counted(cell.bytes, "byte")} in ${counted(cell.pages, "page")}`)];
    if (plain > 0)
      lanes.push(drawn("compression", `to ${percent(of("bytes"), plain)} of the uncompressed bytes`, "agrees",
        (cell) => (cell.uncompressed ? cell.bytes / cell.uncompressed : 0),
        (cell) => (cell.uncompressed ? percent(cell.bytes, cell.uncompressed) : "no bytes")));
    if (part.nulls != null && part.elements > 0)
      lanes.push(drawn("nulls", `${percent(part.nulls, part.elements)} of the elements (${number(part.nulls)})`, "share",
        (cell) => (cell.elements ? (cell.nulls || 0) / cell.elements : 0),
        (cell) => `${percent(cell.nulls || 0, Math.max(1, cell.elements))} null`));
    return lanes;
  }

  // A part without rows: its properties, and the answer to the question of its format.
  function partItem(part, words) {
    const asked = part[words.question];
    const figures = words.part_figures.filter(({ key }) => part[key] != null)
      .map(({ key, many }) => `${many}: ${number(part[key])}`);
    const about = [part.datatype, (part[words.labels] || []).join(", "), figures.join(" · ")];
    return element("li", null,
      element("div", null, element("h3", null, part.name),
        ...about.filter(Boolean).map((line) => element("p", { class: "about" }, line))),
      element("div", null,
        ...clusterLanes(part),
        part.missing && part.slots > 0 ? missingLane(part, part.slots, ["nulls", "slots", "no slot is null"]) : null,
        asked ? lane(words.question_words,
          asked.because.length ? `${asked.answer}, because of ${asked.because.join(", ")}` : asked.answer, null) : null));
  }

  // What takes up the bytes of the file, from left to right.
  function layoutItem(layout) {
    const width = Math.ceil(layout.size / Math.max(1, layout.cells.length));
    const lanes = layout.kinds.map((kind, k) => {
      const total = layout.cells.reduce((sum, cell) => sum + cell[k], 0);
      const bars = layout.cells.map((cell, i) => {
        const from = i * width, to = Math.min(layout.size, from + width);
        const height = cell[k] ? Math.min(20, Math.max(2, (20 * cell[k]) / (to - from))) : 0;
        return height ? bar(from, to, height, 20 - height) : "";
      });
      const says = `${number(total)} bytes (${percent(total, layout.size)})`;
      return lane(kind, says, picture(layout.size, `${kind} in the file: ${says}`, [[k === 0 ? "share" : "agrees", bars.join("")]]));
    });
    return element("li", { class: "layout" },
      element("div", null, element("h3", null, "The file"),
        element("p", { class: "about" }, `${number(layout.size)} bytes, from left to right`)),
      element("div", null, ...lanes));
  }

  function columnItem(column, nrows, words) {
    if (column.extent == null) return partItem(column, words);
    const rows = Math.min(nrows ?? 0, column.extent);
    const about = [column.datatype, `${counted(rows, "row")}${column.extent > rows ? ` in ${number(column.extent)}` : ""} · ` +
                   (column.chunks ? `${counted(column.chunks, "chunk")} of ${number(column.chunk_rows)}` : "no chunk holds data")];
    const lanes = [];
    if (rows > 0 && column.missing) lanes.push(missingLane(column, rows));
    for (const map of column.maps || [])
      lanes.push(rows > 0 ? indexLane(column, map, rows) : lane(map.kind, map.reason || "no rows", null));
    for (const level of column.levels || []) lanes.push(levelLane(level));
    if (!column.maps) for (const index of column[words.labels] || []) lanes.push(lane(index.split(" ")[0], "the data was not examined", null));
    if (!lanes.length) lanes.push(element("p", { class: "quiet" }, "No index, and no clause examines its values."));
    const readout = element("p", { class: "readout", "aria-hidden": "true" });
    const pictures = element("div", {
      onpointermove: (event) => {
        const svg = event.target.closest("svg");
        if (!svg) return;
        const box = svg.getBoundingClientRect();
        const row = Math.min(rows - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * rows)));
        readout.textContent = `row ${number(row)}, chunk ${number(Math.floor(row / column.chunk_rows))}: ` +
          lanes.filter((each) => each.at).map((each) => each.at(row)).join("; ");
      },
      onpointerleave: () => { readout.textContent = ""; },
    }, ...lanes, lanes.some((each) => each.at) ? readout : null);
    return element("li", null,
      element("div", null, element("h3", null, column.name),
        ...about.map((line) => element("p", { class: "about" }, line))),
      pictures);
  }

  const KEY = [["share", "share of missing rows"], ["agrees", "index agrees with the column"], ["differs", "index differs, order breaks"],
               ["ramp", "values in order"], ["nan", "NaN values, after all others"]];

  // A list that grows by a button.
  function growing(list, items, make, step, word) {
    let shown = 0;
    const more = element("button", { type: "button", onclick: () => grow() });
    const grow = () => {
      const from = shown;
      shown = Math.min(items.length, shown + step);
      list.append(...items.slice(from, shown).map(make));
      more.hidden = shown === items.length;
      more.textContent = `Show ${number(Math.min(step, items.length - shown))} more ${word} (${number(items.length - shown)} left)`;
      if (from > 0) list.children[from].querySelector("summary, a, button")?.focus();
    };
    grow();
    return items.length > step ? element("p", { class: "more" }, more) : null;
  }

  function showColumns(section, table) {
    const { shape } = table, words = wordsOf(table);
    if (isProgram(table)) {
      section.replaceChildren(element("h2", { id: "table-name", tabindex: "-1" }, nameOf(table)),
        element("p", null, sign(table.said[1]), element("span", { class: `word ${table.said[1].name}` }, table.said[0])),
        ...table.notes.map((note) => element("p", { class: "note" }, note)));
      section.hidden = tables.length < 2;
      return;
    }
    const list = element("ul", { class: "columns" });
    const parts = shape[words.parts] || [];
    const nothing = parts.every((part) => part.extent == null);  // that has rows
    const figureOf = ({ key, many }) => {
      const value = Array.isArray(shape[key]) ? shape[key].length : shape[key];
      return [capitalised(many), value === null || value === undefined ? "?" : number(value)];
    };
    const figures = [...words.figures.filter((each) => each.leads).map(figureOf),
                     ...words.part_figures.map(({ key, many }) => [capitalised(many), number(parts.reduce((sum, part) => sum + (part[key] || 0), 0))]),
                     ...words.figures.filter((each) => !each.leads).map(figureOf)];
    section.replaceChildren(
      element("h2", { id: "table-name", tabindex: "-1" }, tables.length > 1 ? nameOf(table) : capitalised(words.parts)),
      ...(tables.length > 1 ? [
        element("p", null, sign(table.said[1]), element("span", { class: `word ${table.said[1].name}` }, table.said[0]),
          table.reason ? `: ${table.reason}` : ""),
        ...table.notes.map((note) => element("p", { class: "note" }, note)),
        element("dl", { class: "figures" }, ...figures.map(([name, value]) =>
          element("div", null, element("dt", null, name), element("dd", null, value))))] : []),
      ...(nothing ? [] : [element("p", { class: "key" }, ...KEY.map(([name, title]) => element("span", null, element("i", { class: name }), title)),
        element("span", null, "Rows run from left to right; light lines are borders of chunks."))]),
      list);
    const more = growing(list, parts, (part) => columnItem(part, shape.nrows, words), COLUMNS, words.parts);
    if (table.layout) list.prepend(layoutItem(table.layout));
    if (more) section.append(more);
    if (!parts.length && !table.layout) list.replaceWith(element("p", { class: "quiet" }, `This ${words.subject} has no ${words.parts}.`));
    section.hidden = false;
  }

  // --- The bytes of the subject ----------------------------------------------------------------

  let bytes = null;  // its blocks, if the report has them
  const isSame = (placed, finding) => ["object", "observed", "expected"].every((key) => placed[key] === finding[key]);

  function showBlocks(section, table) {
    const map = data.maps?.[table.number];
    bytes = null;
    section.hidden = !map;
    section.replaceChildren();
    if (!map) return;
    const byId = new Map(table.results.map((result) => [result.id, result]));
    for (const placed of map.findings)
      placed.known = byId.get(placed.clause)?.findings.some((finding) => finding.known && isSame(placed, finding));
    bytes = blockList(map, (placed) => [" ", element("a", { href: addressOf(table, placed.clause) }, "clause")]);
    section.append(element("h2", null, "Blocks"),
      element("p", { class: "quiet" }, "Each block of the file opens to show its bytes, field by field, with the findings at their bytes."),
      ...map.trouble.map((each) => element("p", { class: "note" }, each)), ...bytes.nodes);
  }

  // A button that opens the block in which a finding is.
  function toItsByte(finding, id) {
    const placed = bytes?.findings.find((each) => each.block && each.clause === id && isSame(each, finding));
    return placed ? element("button", { type: "button", class: "copy", onclick: () => bytes.open(placed.block) }, `byte ${placed.address}`) : "";
  }

  // --- Clauses by chapter ----------------------------------------------------------------------

  // One square per clause. One of them can be reached by Tab, the others by the arrow keys.
  function squares(table) {
    const list = element("ul", { class: "chapters" });
    for (const chapter of usedChapters) {
      const results = table.results.filter((result) => chapterOf(result.section) === chapter);
      const row = element("div", { class: "squares" }, ...results.map((result) => element("a", {
        href: addressOf(table, result.id), class: result.state.name, tabindex: "-1",
        title: `${result.id}: ${result.state.title.toLowerCase()}`,
        "aria-label": `${result.id}: ${result.state.title.toLowerCase()}`,
      }, result.state === state.none || result.state === state.passed ? "" : result.state.sign)));
      if (!results.length) continue;
      row.firstChild.setAttribute("tabindex", "0");
      list.append(element("li", null, element("span", null, chapterName(chapter, table.spec)), row));
    }
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = step > 0 ? event.target.nextElementSibling : event.target.previousElementSibling;
      if (!next) return;
      event.preventDefault();
      event.target.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
    return list;
  }

  // --- The list of clauses ---------------------------------------------------------------------

  function findingItem(finding, { id }, table) {
    const rows = [["Found", finding.observed, "found"], ["Expected", finding.expected, "expected"],
                  ["Where", element("code", null, finding.object + (finding.attribute ? `@${finding.attribute}` : "") + (finding.where ? ` ${finding.where}` : ""))],
                  ["Bytes", table === current ? toItsByte(finding, id) : ""],
                  ["Witness", finding.witness], [table.kind === "program" ? "Reproduce" : "Fix", finding.fix],
                  ["And", finding.more ? `${counted(finding.more, "more place")} like it` : ""],
                  ["Known", finding.known ? "listed in the baseline" : ""]];
    return element("li", null, element("dl", { class: "finding", "data-clause": id },
      ...rows.filter(([, value]) => value).flatMap(([name, value, kind]) =>
        [element("dt", null, name), element("dd", { class: kind }, value)])));
  }

  function clauseBody({ table, result }) {
    const clause = catalogue.get(result.id) || {};
    const body = element("div", { class: "body" });
    const demand = element("p", { class: "demand" }, element("b", null, result.profile ? "Risk: " : "Requirement: "), ...prose(clause.statement || ""));
    const looked = result.examined ? `${counted(result.examined, "place")} looked at. ` : "";
    if (result.verdict === "fail") {
      const list = element("ol");
      body.append(element("h3", null, "What was found"), list);
      const more = growing(list, result.findings, (finding) => findingItem(finding, result, table), FINDINGS, "findings");
      if (more) body.append(more);
      if (result.suppressed) body.append(element("p", { class: "quiet" }, `${counted(result.suppressed, "more finding")} not listed (--max-findings).`));
      if (looked) body.append(element("p", { class: "quiet" }, looked));
      body.append(demand);
    } else {
      const why = { pass: "The clause holds everywhere. ", "not-applicable": `Nothing in this ${table.kind} is subject to it. `,
                    "not-checked": "It could not be checked. " }[result.verdict];
      body.append(demand, element("p", { class: "quiet" }, result.reason ? `${result.state.title}: ${result.reason}. ` : why, looked));
    }
    if (clause.check) body.append(element("h3", null, "How it is checked"), element("p", null, ...prose(clause.check)));
    if (clause.notes) body.append(element("h3", null, "How the text is read"), element("p", null, ...prose(clause.notes)));
    body.append(element("p", { class: "links" },
      element("a", { href: addressOf(table, result.id) }, "Link to this clause"),
      element("a", { href: data.sources[table.spec], rel: "noreferrer" }, `Section ${result.section} of the specification`),
      copying("Copy link", () => location.href.split("#")[0] + addressOf(table, result.id)),
      copying("Copy command", () => `hepcheck explain ${result.id}`)));
    return body;
  }

  // A button that puts a text where it can be pasted from.
  function copying(label, text) {
    const button = element("button", { type: "button", class: "copy", onclick: async () => {
      try {
        await navigator.clipboard.writeText(text());
        button.textContent = "Copied";
      } catch {
        button.textContent = "The browser does not allow it";
      }
      setTimeout(() => { button.textContent = label; }, 2000);
    } }, label);
    return button;
  }

  function clauseItem(match) {
    const { table, result } = match;
    const details = element("details", { class: result.state.name },
      element("summary", null, sign(result.state),
        element("span", null, said(`${result.state.title}: `), element("code", null, result.id)),
        element("span", { class: "level" }, `${result.level} · ${result.section}`),
        element("span", { class: "statement" }, ...prose(catalogue.get(result.id)?.statement || "")),
        filters.scope ? element("span", { class: "where" }, nameOf(table)) : null));
    details.addEventListener("toggle", () => {
      if (!details.open) return;
      if (details.children.length === 1) details.append(clauseBody(match));
      remember(addressOf(table, result.id));
    });
    return element("li", { "data-clause": result.id }, details);
  }

  const filters = { states: new Set(), levels: new Set(LEVELS), chapter: "", text: "", scope: false };
  let current = ordered([...tables], "worst")[0];
  let view = null;  // the parts of the clause section that change

  const textOf = (result) => (result.text ??= [result.id, result.section, result.reason, catalogue.get(result.id)?.statement,
    ...result.findings.flatMap((f) => [f.object, f.attribute, f.where, f.observed, f.expected, f.witness, f.fix])]
    .filter(Boolean).join("\n").toLowerCase());

  function matching() {
    const wanted = filters.text.toLowerCase();
    const found = [];
    for (const table of filters.scope ? tables : [current]) {
      const here = wanted && nameOf(table).toLowerCase().includes(wanted);
      for (const result of table.results)
        if (filters.states.has(result.state.name) && filters.levels.has(result.level.split(" ")[0]) &&
            (!filters.chapter || chapterOf(result.section) === filters.chapter) &&
            (!wanted || here || textOf(result).includes(wanted)))
          found.push({ table, result });
    }
    return found.sort((a, b) => a.result.state.rank - b.result.state.rank);  // stable: then by section
  }

  function counts() {
    const by = Object.fromEntries(STATES.map((each) => [each.name, 0]));
    for (const table of filters.scope ? tables : [current])
      for (const result of table.results) ++by[result.state.name];
    return by;
  }

  let last = [];  // what the list shows, and how much of it
  let shown = 0;
  function fillList() {
    const by = counts();
    for (const [name, label] of view.counts) label.textContent = number(by[name]);
    last = matching();
    shown = 0;
    view.list.replaceChildren();
    view.status.textContent = last.length ? `${counted(last.length, "clause")} shown below`
      : "No clause matches. Remove a filter.";
    growList(ROWS);
  }
  function growList(by) {
    const until = Math.min(last.length, shown + by);
    view.list.append(...last.slice(shown, until).map(clauseItem));
    shown = until;
    view.more.hidden = shown === last.length;
    view.more.textContent = `Show ${number(Math.min(ROWS, last.length - shown))} more (${number(last.length - shown)} left)`;
  }

  function refilter() {
    fillList();
    remember();
  }

  function checkbox(label, name, checked, set, count) {
    const input = element("input", { type: "checkbox", checked, onchange: () => {
      input.checked ? set.add(name) : set.delete(name);
      refilter();
    } });
    input.name = name;
    return element("label", { class: count ? name : null }, input, label, count);
  }

  function showClauses(section) {
    const countLabels = shownStates.map((each) => [each.name, element("span", { class: "quiet" })]);
    const search = element("input", { type: "search", "aria-keyshortcuts": "/", oninput: () => { filters.text = search.value; refilter(); } });
    const chapter = element("select", { onchange: () => { filters.chapter = chapter.value; refilter(); } },
      element("option", { value: "" }, "all chapters"),
      ...usedChapters.map((each) => element("option", { value: each }, chapterName(each))));
    const scope = element("select", { onchange: () => { filters.scope = scope.value === "all"; refilter(); } },
      element("option", { value: "one" }, `the ${subject} above`), element("option", { value: "all" }, `all ${subject}s`));
    const states = element("fieldset", null, element("legend", null, "Verdict"), element("div", { class: "choices" },
      ...shownStates.map((each, i) => checkbox(each.title, each.name, filters.states.has(each.name), filters.states, countLabels[i][1]))));
    const levels = element("fieldset", null, element("legend", null, "Level"), element("div", { class: "choices" },
      ...LEVELS.map((each) => checkbox(each, each, true, filters.levels))));
    view = { search, chapter, scope, states, levels, counts: countLabels,
             squares: element("div"), status: element("p", { role: "status", class: "quiet" }),
             list: element("ul", { class: "list" }), more: element("button", { type: "button", onclick: () => {
               const first = shown;
               growList(ROWS);
               view.list.children[first]?.querySelector("summary").focus();
             } }) };
    section.replaceChildren(
      element("h2", { id: "clauses-name" }, "Clauses"),
      element("p", { class: "quiet" }, `Every clause about ${tables.every(isProgram) ? "such programs" : "files"}, by chapter; each square is one clause.`),
      view.squares,
      element("div", { class: "tools" }, states, levels,
        element("label", null, "Chapter", chapter),
        tables.length > 1 ? element("label", null, "Of", scope) : null,
        element("label", null, "Text", search)),
      element("p", { class: "quiet keys" }, element("kbd", null, "/"), " to search, ", element("kbd", null, "↑"), " ", element("kbd", null, "↓"),
        " between clauses, ", element("kbd", null, "Enter"), " to open one."),
      view.status, view.list, element("p", { class: "more" }, view.more));
    section.hidden = false;

    view.list.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const item = event.target.closest("li[data-clause]");
      if (!step || !item || event.target.tagName !== "SUMMARY") return;
      const next = step > 0 ? item.nextElementSibling : item.previousElementSibling;
      if (!next) return;
      event.preventDefault();
      next.querySelector("summary").focus();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey ||
          event.target.closest("input, select, textarea")) return;
      event.preventDefault();
      search.focus();
    });
  }

  // --- Going there -----------------------------------------------------------------------------

  function select(table) {
    current = table;
    showColumns(document.getElementById("table"), table);
    showBlocks(document.getElementById("bytes"), table);
    view.squares.replaceChildren(squares(table));
    for (const row of document.querySelectorAll("tr[data-table]"))
      row.dataset.table === String(table.number) ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current");
    fillList();
  }

  function sync() {
    for (const input of [...view.states.querySelectorAll("input")]) input.checked = filters.states.has(input.name);
    for (const input of [...view.levels.querySelectorAll("input")]) input.checked = filters.levels.has(input.name);
    view.chapter.value = filters.chapter;
    view.search.value = filters.text;
    view.scope.value = filters.scope ? "all" : "one";
  }

  // --- Filters in the address ------------------------------------------------------------------

  const chosenOf = (names, set) => names.filter((name) => set.has(name)).join(" ");
  // Filters that have their initial value are omitted.
  const inWords = () => ({
    show: chosenOf(STATES.map((each) => each.name), filters.states), level: chosenOf(LEVELS, filters.levels),
    chapter: filters.chapter, text: filters.text, of: filters.scope ? "all" : "", ...listing,
  });
  let usual = {};

  function remember(way = location.hash.split("?")[0]) {
    const now = inWords();
    const words = new URLSearchParams(Object.entries(now).filter(([key, value]) => value !== usual[key])).toString();
    if (!words && !way) return;
    history.replaceState(null, "", (way.startsWith("#/") ? way : "#/") + (words ? `?${words}` : ""));
  }

  function adopt(words) {
    const asked = { ...usual, ...Object.fromEntries(new URLSearchParams(words)) };
    const known = (names, text) => new Set(text.split(" ").filter((name) => names.includes(name)));
    Object.assign(filters, { chapter: usedChapters.includes(asked.chapter) ? asked.chapter : "",
                             text: asked.text, scope: asked.of === "all" && tables.length > 1 });
    for (const [set, names, text] of [[filters.states, STATES.map((each) => each.name), asked.show], [filters.levels, LEVELS, asked.level]]) {
      set.clear();
      for (const name of known(names, text)) set.add(name);
    }
    Object.assign(listing, { verdict: VERDICTS[asked.verdict] ? asked.verdict : "", name: asked.name,
                             sort: ORDERS[asked.sort] ? asked.sort : usual.sort });
    sync();
    fillList();
    tableView?.fill();
  }

  // The filters of an address override those of the page.
  function openClause(id) {
    let at = last.findIndex((match) => match.table === current && match.result.id === id);
    if (at < 0) {
      const result = current.results.find((each) => each.id === id);
      if (!result) return;
      Object.assign(filters, { chapter: "", text: "", scope: false });
      filters.states.add(result.state.name);
      for (const level of LEVELS) filters.levels.add(level);
      sync();
      fillList();
      at = last.findIndex((match) => match.result === result);
    }
    if (at >= shown) growList(at - shown + ROWS);
    const item = view.list.children[at];
    item.firstChild.open = true;
    item.scrollIntoView({ block: "start" });
    item.querySelector("summary").focus({ preventScroll: true });
  }

  function follow() {
    const [way, words] = location.hash.split("?");
    if (words !== undefined && way.startsWith("#/")) adopt(words);
    const to = target(way);
    if (!to) return;
    if (to.table !== current) {
      filters.scope = false;
      select(to.table);
      sync();
    }
    if (to.id) {
      openClause(to.id);
    } else {
      remember(way);
      const heading = document.getElementById("table-name");
      heading.scrollIntoView({ block: "start" });
      heading.focus({ preventScroll: true });
    }
  }

  const interesting = ["broken", "warned", "advised", "risk", "known", "unchecked"];
  const any = tables.some((table) => table.results.some((result) => interesting.includes(result.state.name)));
  filters.states = new Set(any ? interesting : [...interesting, "passed"]);
  usual = inWords();
  showTables();
  showPrograms();
  showClauses(document.getElementById("clauses"));
  select(current);
  follow();
  addEventListener("hashchange", follow);
  // A second click on the same address opens it again.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#/']");
    if (link && link.getAttribute("href") === location.hash) follow();
  });

  // A printed page cannot be clicked: folded parts that report problems are opened for printing.
  let opened = [];
  addEventListener("beforeprint", () => {
    tableView?.forPaper();
    opened = [...document.querySelectorAll("details.rest:not([open]), details.note:not([open])")]
      .filter((each) => !each.closest("#advice"));  // lists of advice would fill pages
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });
})();
