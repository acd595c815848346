// The page on which one drops a file. The program is loaded as scripts, so that the page also works when it is opened as a
// file: hepcheck-program.js has the program, and what runs it in a worker, as data.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const STALE = "minmax-min-value--other-chunk.h5";
  let worker = null, addresses = [];

  function loaded(source) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = source;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${source} cannot be loaded`));
      document.head.append(script);
    });
  }

  function bytesOf(base64) {
    const text = atob(base64), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  }

  let program;  // the compiled module and the script of a worker, once
  async function prepared() {
    if (!window.hepcheckProgram) await loaded("hepcheck-program.js");
    const { script, wasm } = window.hepcheckProgram;
    const stream = new Blob([bytesOf(wasm)]).stream().pipeThrough(new DecompressionStream("gzip"));
    const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    return { module, address: URL.createObjectURL(new Blob([script], { type: "text/javascript" })) };
  }

  const size = (bytes) => bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
  const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

  function stop() {
    worker?.terminate();
    worker = null;
    $("run").hidden = true;
  }

  function fail(message) {
    stop();
    show("It could not be examined", message);
  }

  function show(verdict, words, claim = "") {
    $("result").hidden = false;
    $("result").dataset.claim = claim;
    $("verdict").textContent = verdict;
    $("summary").textContent = words;
    for (const id of ["report", "json", "page"]) $(id).hidden = !claim;
  }

  function addressOf(text, type) {
    const made = URL.createObjectURL(new Blob([text], { type }));
    addresses.push(made);
    return made;
  }

  function finished({ json, html, read, memory }, began) {
    stop();
    const report = JSON.parse(json);
    const broken = report.files.flatMap((file) => file.tables).flatMap((table) => table.clauses)
      .filter((clause) => clause.verdict === "fail");
    const error = report.files[0]?.error;
    show(report.claim[0].toUpperCase() + report.claim.slice(1),
      [broken.length ? `${broken.length === 1 ? "1 clause is" : `${broken.length} clauses are`} broken: ${broken.map(({ id }) => id).join(", ")}.` : "",
       error ? `${error}.` : "", `${size(read)} were read in ${seconds(began)}, with ${size(memory)} of memory.`].filter(Boolean).join(" "), report.claim);
    $("json").href = addressOf(json, "application/json");
    $("page").href = addressOf(html, "text/html");
    $("report").srcdoc = html;
    $("verdict").scrollIntoView({ block: "nearest" });
  }

  // files: [{ name, data }] with '/' between directories; target: the file or the directory
  async function examine(files, target) {
    stop();
    addresses.splice(0).forEach((each) => URL.revokeObjectURL(each));
    $("result").hidden = true;
    $("run").hidden = false;
    $("progress").removeAttribute("value");
    const all = files.reduce((sum, { data }) => sum + data.size, 0), began = performance.now();
    const words = `${target}, ${size(all)}`;
    $("status").textContent = `Loading the program for ${words}`;
    const mine = {};
    worker = { terminate: () => { mine.cancelled = true; } };
    try {
      program ??= await prepared();
    } catch (error) {
      program = null;
      return fail(error.message);
    }
    if (mine.cancelled) return;
    $("status").textContent = `Examining ${words}`;
    worker = new Worker(program.address);
    worker.onmessage = ({ data }) => {
      if (data.html) return finished(data, began);
      if (data.failure) return fail(data.failure);
      if (data.expected > 0 && data.done <= data.expected) $("progress").value = data.done / data.expected;
      $("status").textContent = `Examining ${words}: ${size(data.read)} read, ${seconds(began)}`;
    };
    worker.onerror = (event) => fail(event.message || "the worker ended");
    worker.postMessage({ module: program.module, files, target });
  }

  const examineFile = (file) => examine([{ name: file.name, data: file }], file.name);

  // A folder that was chosen: each file knows its path in it.
  function examineList(list) {
    const files = [...list].map((data) => ({ name: data.webkitRelativePath || data.name, data }));
    if (files.length) examine(files, files[0].name.split("/")[0]);
  }

  const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));
  async function filesBelow(folder, into = []) {
    const reader = folder.createReader();
    for (;;) {
      const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!entries.length) return into;
      for (const entry of entries)
        if (entry.isDirectory) await filesBelow(entry, into);
        else into.push({ name: entry.fullPath.slice(1), data: await fileOf(entry) });
    }
  }

  $("file").addEventListener("change", ({ target }) => {
    if (target.files.length) examineFile(target.files[0]);
    target.value = "";
  });
  $("folder").addEventListener("change", ({ target }) => {
    examineList(target.files);
    target.value = "";
  });
  $("stale").addEventListener("click", async () => {
    try {
      if (!window.hepcheckProgram) await loaded("hepcheck-program.js");
      examineFile(new File([bytesOf(window.hepcheckProgram.stale)], STALE));
    } catch (error) {
      fail(error.message);
    }
  });
  $("cancel").addEventListener("click", () => {
    stop();
    show("Cancelled", "Nothing was reported.");
  });
  for (const name of ["dragover", "dragenter"])
    document.addEventListener(name, (event) => {
      event.preventDefault();
      $("drop").classList.add("over");
    });
  for (const name of ["dragleave", "drop"])
    document.addEventListener(name, () => $("drop").classList.remove("over"));
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const entry = event.dataTransfer.items[0]?.webkitGetAsEntry?.(), file = event.dataTransfer.files[0];
    try {
      if (entry?.isDirectory) await examine(await filesBelow(entry), entry.name);
      else if (file) examineFile(file);
    } catch (error) {
      fail(error.message);
    }
  });
  document.documentElement.dataset.ready = "true";
})();
