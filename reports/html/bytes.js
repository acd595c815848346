// The blocks of a file. The bytes of a block are shown when it is opened; a long file has more blocks than a page can
// hold, so they are shown in parts.
"use strict";
(() => {
  const PART = 200, FIELDS = 2000, FINDINGS = 50;
  const map = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const make = (name, className, ...content) => {
    const node = document.createElement(name);
    if (className) node.className = className;
    node.append(...content);
    return node;
  };
  const number = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const STATES = { error: ["broken", "✕"], warning: ["warned", "!"], info: ["advised", "i"] };
  const state = (finding) => STATES[finding.severity] || STATES.info;
  const sentence = (finding) => [
    make("span", "sign", state(finding)[1]), make("span", "word", `${finding.severity} ${finding.clause}`),
    `: found ${finding.observed}; expected ${finding.expected}`];

  // Blocks and what lies between them, in the order of the file.
  const blocks = map.ranges.map((range) => ({ ...range, findings: [] }));
  for (const gap of map.gaps) blocks.push({ ...gap, kind: "not referenced", gap: true, findings: [] });
  if (map.base > 0) blocks.push({ address: 0, size: map.base, kind: "user block", gap: true, findings: [] });
  if (map.size > map.end)
    blocks.push({ address: map.end, size: map.size - map.end, kind: "beyond the end of the file", gap: true, findings: [] });
  blocks.sort((a, b) => a.address - b.address);

  // The last block that begins at a byte, or before it.
  const blockAt = (address) => {
    let low = 0, high = blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (blocks[middle].address <= address) low = middle + 1;
      else high = middle;
    }
    for (let i = low - 1; i >= 0 && i > low - 100; --i)
      if (address < blocks[i].address + blocks[i].size) return blocks[i];
    return null;
  };
  const findings = [...(map.findings || [])].sort((a, b) => a.address - b.address);
  for (const finding of findings) {
    finding.block = blockAt(finding.address);
    if (finding.block) finding.block.findings.push(finding);
  }

  for (const [many, word] of [[map.size, "bytes"], [map.ranges.length, "blocks"], [map.totals.metadata, "bytes of metadata"],
                              [map.totals.raw, "bytes of raw data"], [map.totals.gaps, "bytes not referenced"],
                              [findings.length, "findings"]])
    by("figures").append(make("div", many ? "" : "zero", make("dt", "", word), make("dd", "", number(many))));
  for (const each of map.trouble) by("trouble").append(make("li", "note", each));

  // --- One block ------------------------------------------------------------------------------------

  const rows = (block) => {
    const list = block.fields || [];
    const table = make("table", "", make("caption", "hidden-label", `Fields of the block at ${block.address}`));
    const head = make("tr");
    for (const word of ["byte", "size", "field", "value"]) head.append(Object.assign(make("th", "left", word), { scope: "col" }));
    const body = make("tbody");
    table.append(make("thead", "", head), body);
    const waiting = block.findings.filter((finding) => !finding.decoded);
    const loose = block.findings.filter((finding) => finding.decoded);
    list.slice(0, FIELDS).forEach((field) => {
      const row = make("tr", "", make("td", "left at", String(field.address)), make("td", "left", String(field.size)),
                       make("td", "left", field.name || "(no name)"), make("td", "left value", field.value));
      while (waiting.length && waiting[0].address < field.address + field.size) {
        const finding = waiting.shift();
        row.classList.add("found", state(finding)[0]);
        row.lastChild.append(make("p", `finding-here ${state(finding)[0]}`, ...sentence(finding)));
      }
      body.append(row);
    });
    const shown = [...loose, ...waiting].map((finding) => make(
      "p", `loose ${state(finding)[0]}`, ...sentence(finding), finding.decoded ? " (after its filters are undone)" : ` (byte ${finding.address})`));
    if (list.length > FIELDS) shown.push(make("p", "quiet", `${number(list.length - FIELDS)} more fields: hepcheck layout --fields`));
    if (!list.length) return [...shown, make("p", "quiet", block.gap ? "No structure leads to these bytes." : "Values, without fields.")];
    const scroll = make("div", "fields", table);
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", `Fields of the block at ${block.address}`);
    return [...shown, scroll];
  };

  const item = (block) => {
    const details = make("details");
    const worst = ["error", "warning", "info"].find((each) => block.findings.some((finding) => finding.severity === each));
    const summary = make("summary", worst ? STATES[worst][0] : "", make("span", "at", String(block.address)),
                         make("span", "size", `${number(block.size)} bytes`),
                         make("span", "what", block.gap ? block.kind : `${block.kind} of ${block.object}`));
    if (worst)
      summary.append(make("span", "word", `${STATES[worst][1]} ${block.findings.length} finding${block.findings.length > 1 ? "s" : ""}`));
    details.append(summary);
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) details.append(...rows(block));
    });
    block.item = make("li", block.gap ? "gap" : "", details);
    return block.item;
  };

  // --- All of them ----------------------------------------------------------------------------------

  let chosen = [], drawn = 0;
  const draw = (most) => {
    while (drawn < Math.min(most, chosen.length)) by("blocks").append(item(chosen[drawn++]));
    by("more").hidden = drawn >= chosen.length;
    by("shown").textContent = `${number(drawn)} of ${number(chosen.length)} blocks`;
  };
  const choose = () => {
    const word = by("search").value.toLowerCase();
    chosen = blocks.filter((block) => (!by("only").checked || block.findings.length) &&
                                      `${block.kind} of ${block.object || ""}`.toLowerCase().includes(word));
    by("blocks").replaceChildren();
    drawn = 0;
    draw(PART);
  };
  by("search").addEventListener("input", choose);
  by("only").addEventListener("change", choose);
  by("more").addEventListener("click", () => draw(drawn + PART));
  choose();

  const open = (block) => {
    by("search").value = "";
    by("only").checked = false;
    choose();
    draw(chosen.indexOf(block) + PART);
    block.item.firstChild.open = true;
    block.item.scrollIntoView();
    block.item.querySelector("summary").focus();
  };
  if (findings.length) {
    by("findings").hidden = false;
    for (const finding of findings.slice(0, FINDINGS)) {
      const line = make("li", state(finding)[0], ...sentence(finding), ` (${finding.object}) `);
      if (finding.block) {
        const button = make("button", "copy", `byte ${finding.address}`);
        button.addEventListener("click", () => open(finding.block));
        line.append(button);
      }
      by("findings").querySelector("ol").append(line);
    }
    if (findings.length > FINDINGS)
      by("findings").append(make("p", "quiet", `${number(findings.length - FINDINGS)} more: choose “only blocks with findings”.`));
  }
})();
