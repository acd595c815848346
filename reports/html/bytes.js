(() => {
  const FINDINGS = 50;
  const map = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const { findings, open, sentence, state, make, number, nodes } = blockList(map);
  by("bytes").append(...nodes);

  for (const [many, word] of [[map.size, "bytes"], [map.ranges.length, "blocks"], [map.totals.metadata, "bytes of metadata"],
                              [map.totals.raw, "bytes of raw data"], [map.totals.gaps, "bytes not referenced"],
                              [findings.length, "findings"]])
    by("figures").append(make("div", many ? "" : "zero", make("dt", "", word), make("dd", "", number(many))));
  for (const each of map.trouble) by("trouble").append(make("li", "note", each));

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
