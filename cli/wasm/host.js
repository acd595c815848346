// Runs the program of WebAssembly in the thread that calls it: a worker of a browser, or of Node. A plain script, so that
// both can load it: it defines hepcheckHost.
"use strict";
var hepcheckHost = (() => {
  const MAJOR = 80;

  // Replaces a standard stream. `read` fills an array and returns the count, `write` takes an array; `columns` is the width
  // of a terminal.
  function attach(FS, number, { read, write, columns }) {
    const device = FS.makedev(MAJOR, number), path = `/dev/host${number}`;
    const part = (buffer, offset, length) => new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length);
    FS.registerDevice(device, {
      read: (stream, buffer, offset, length) => read ? read(part(buffer, offset, length)) : 0,
      write: (stream, buffer, offset, length) => {
        write?.(part(buffer, offset, length).slice());
        return length;
      },
    });
    FS.mkdev(path, device);
    FS.close(FS.getStream(number));
    const opened = FS.open(path, number === 0 ? "r" : "w");
    if (columns) opened.tty = { ops: { ioctl_tiocgwinsz: () => [24, columns] } };
  }

  /**
   * Runs `hepcheck args...` and returns its exit status. `factory` is that of hepcheck.cjs and `settings` what it takes,
   * `prepare(FS)` mounts files, `streams` are those with the numbers 0, 1 and 2, `finish(FS)` may read what was written to
   * the files of the program, which are in memory, and `onProgress(done, expected, file, files)` hears of bytes of values
   * and of files.
   */
  async function run({ factory, settings, args, prepare, streams = [], finish, onProgress }) {
    const program = await factory({ ...settings, noInitialRun: true, thisProgram: "hepcheck", onProgress });
    const { FS } = program;
    prepare?.(FS);
    // Progress is for a terminal.
    for (const number of [0, 1, 2])
      attach(FS, number, { ...(number === 2 && onProgress ? { columns: 80 } : {}), ...streams[number] });
    const status = program.callMain(args);
    finish?.(FS);
    return status;
  }

  return { run };
})();
if (typeof module === "object") module.exports = hepcheckHost;
