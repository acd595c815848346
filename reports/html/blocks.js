// The blocks of a file, each of which opens to show its fields, with the findings at their bytes: for the page of
// hepcheck layout, and for reports. A long file has more blocks than a page can hold, so they are shown in parts.
"use strict";
// blockList(map, about): `about` makes what follows the words of a finding, if anything.
const blockList = (() => {
  const PART = 200, FIELDS = 2000;
  const make = (name, className, ...content) => {
    const node = document.createElement(name);
    if (className) node.className = className;
    node.append(...content);
    return node;
  };
  const number = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const STATES = { error: ["broken", "✕"], warning: ["warned", "!"], info: ["advised", "i"] };
  const state = (finding) => (finding.known ? ["known", "="] : STATES[finding.severity] || STATES.info);

  return (map, about = () => []) => {
    const sentence = (finding) => [
      make("span", "sign", state(finding)[1]), make("span", "word", `${finding.severity} ${finding.clause}`),
      `: found ${finding.observed}; expected ${finding.expected}`, ...about(finding)];

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

    // --- One block --------------------------------------------------------------------------------

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
      if (!list.length)
        return [...shown, make("p", "quiet", block.gap ? "No structure leads to these bytes."
          : block.kind === "raw data" ? "Values, without fields." : "Its fields are left out of this page: hepcheck layout --fields")];
      const scroll = make("div", "fields", table);
      scroll.tabIndex = 0;
      scroll.setAttribute("role", "region");
      scroll.setAttribute("aria-label", `Fields of the block at ${block.address}`);
      return [...shown, scroll];
    };

    const item = (block) => {
      const details = make("details");
      const worst = ["broken", "warned", "advised", "known"].find((each) => block.findings.some((finding) => state(finding)[0] === each));
      const summary = make("summary", worst || "", make("span", "at", String(block.address)),
                           make("span", "size", `${number(block.size)} bytes`),
                           make("span", "what", block.gap ? block.kind : `${block.kind} of ${block.object}`));
      if (worst) {
        const [, sign] = state(block.findings.find((finding) => state(finding)[0] === worst));
        summary.append(make("span", "word", `${sign} ${block.findings.length} finding${block.findings.length > 1 ? "s" : ""}`));
      }
      details.append(summary);
      details.addEventListener("toggle", () => {
        if (details.open && details.children.length === 1) details.append(...rows(block));
      });
      block.item = make("li", block.gap ? "gap" : "", details);
      return block.item;
    };

    // --- All of them ------------------------------------------------------------------------------

    const search = Object.assign(make("input"), { type: "search", id: "search" });
    const only = Object.assign(make("input"), { type: "checkbox", id: "only" });
    const status = Object.assign(make("p", "quiet"), { id: "shown" });
    status.setAttribute("role", "status");
    const list = Object.assign(make("ol"), { id: "blocks" });
    const more = make("button", "", "Show more");
    let chosen = [], drawn = 0;
    const draw = (most) => {
      while (drawn < Math.min(most, chosen.length)) list.append(item(chosen[drawn++]));
      more.hidden = drawn >= chosen.length;
      status.textContent = `${number(drawn)} of ${number(chosen.length)} blocks`;
    };
    const choose = () => {
      const word = search.value.toLowerCase();
      chosen = blocks.filter((block) => (!only.checked || block.findings.length) &&
                                        `${block.kind} of ${block.object || ""}`.toLowerCase().includes(word));
      list.replaceChildren();
      drawn = 0;
      draw(PART);
    };
    search.addEventListener("input", choose);
    only.addEventListener("change", choose);
    more.addEventListener("click", () => draw(drawn + PART));
    choose();

    const open = (block) => {
      search.value = "";
      only.checked = false;
      choose();
      draw(chosen.indexOf(block) + PART);
      block.item.firstChild.open = true;
      block.item.scrollIntoView();
      block.item.querySelector("summary").focus();
    };
    const tools = make("div", "tools", make("label", "", "Object or kind of block", make("br"), search),
                       make("label", "", only, " only blocks with findings"));
    const notes = [];
    if (map.ranges_left_out)
      notes.push(`${number(map.ranges_left_out)} blocks are left out of this page, first those without findings: hepcheck layout --fields shows all.`);
    if (map.fields_left_out)
      notes.push(`The fields of ${number(map.fields_left_out)} blocks are left out of this page, first those without findings: hepcheck layout --fields shows all.`);
    return { findings, open, sentence, state, make, number,
             nodes: [...notes.map((note) => make("p", "note", note)), tools, status, list, more] };
  };
})();
