// In a worker of the page, after hepcheck.cjs and host.js: examines what one message names, and answers with both reports.
"use strict";
self.onmessage = async ({ data: { module, files, target } }) => {
  const errors = [];
  let read = 0, told = 0, report = {}, memory = null;
  const tell = (words) => {
    if (performance.now() - told < 100) return;
    told = performance.now();
    self.postMessage({ ...words, read });
  };
  const latest = { done: 0, expected: 0 };
  const settings = {
    locateFile: (name) => name,
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(module, imports).then((instance) => {
        memory = Object.values(instance.exports).find((each) => each instanceof WebAssembly.Memory);
        done(instance, module);
      });
      return {};
    },
  };
  const prepare = (FS) => {
    const { WORKERFS } = FS.filesystems;
    // Counts what is read, beside the progress of the program, which counts values.
    const { read: readPart } = WORKERFS.stream_ops;
    WORKERFS.stream_ops.read = (...words) => {
      const size = readPart(...words);
      read += size;
      tell(latest);
      return size;
    };
    FS.mkdir("/files");
    FS.mkdir("/out");
    FS.mount(WORKERFS, { blobs: files }, "/files");
    FS.chdir("/files");
  };
  const finish = (FS) => {
    if (!FS.analyzePath("/out/report.html").exists) return;
    report = { json: FS.readFile("/out/report.json", { encoding: "utf8" }), html: FS.readFile("/out/report.html", { encoding: "utf8" }) };
  };
  const onProgress = (done, expected) => tell(Object.assign(latest, { done, expected }));
  const args = ["validate", "--no-config", "--format", "json=/out/report.json", "--format", "html=/out/report.html", "--summary", "--", target];
  const streams = [{}, {}, { write: (bytes) => errors.push(new TextDecoder().decode(bytes)) }];
  try {
    const status = await hepcheckHost.run({ factory: hepcheck, settings, args, prepare, streams, finish, onProgress });
    if (report.html) self.postMessage({ ...report, read, memory: memory.buffer.byteLength });
    else self.postMessage({ failure: errors.join("").trim() || `the program ended with status ${status}` });
  } catch (error) {
    self.postMessage({ failure: `the program ended: ${error.message ?? error}` });
  }
};
