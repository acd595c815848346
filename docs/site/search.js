// Search in the names and statements of all clauses and pages. The data are a script, so that the
// site also works when its pages are opened as files.
"use strict";
(() => {
  const input = document.getElementById("search"), results = document.getElementById("results");
  const MOST = 30;
  const data = (window.searchData || []).map(([title, address, words]) => ({ title, address, words, all: `${title} ${words}`.toLowerCase() }));

  // Every word must occur; a title that is the text, begins with it or contains it comes first.
  function found(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const rank = ({ title }) => {
      const name = title.toLowerCase(), whole = words.join(" ");
      return name === whole ? 0 : name.startsWith(whole) ? 1 : name.includes(whole) ? 2 : 3;
    };
    return data.filter(({ all }) => words.every((word) => all.includes(word)))
      .map((each) => [rank(each), each]).sort((a, b) => a[0] - b[0]).map(([, each]) => each);
  }

  function item({ title, address, words }) {
    const link = document.createElement("a"), about = document.createElement("small"), made = document.createElement("li");
    link.href = input.dataset.up + address;
    about.textContent = words;
    link.append(title, about);
    made.append(link);
    return made;
  }

  function show() {
    const all = found(input.value);
    results.replaceChildren(...all.slice(0, MOST).map(item));
    if (input.value.trim() && (!all.length || all.length > MOST)) {
      const last = document.createElement("li");
      last.className = "quiet";
      last.textContent = all.length ? `and ${all.length - MOST} more` : "nothing found";
      results.append(last);
    }
    results.hidden = !results.children.length;
  }

  input.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/input|textarea|select/i.test(document.activeElement.tagName)) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === "Escape") results.hidden = true;
    if (!["ArrowDown", "ArrowUp"].includes(event.key) || results.hidden) return;
    const links = [...results.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (at < 0 && document.activeElement !== input) return;
    event.preventDefault();
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    (next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus();
  });
  document.addEventListener("click", (event) => { if (!event.target.closest(".search")) results.hidden = true; });
})();
