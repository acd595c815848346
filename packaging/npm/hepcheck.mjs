#!/usr/bin/env node
// Runs the program with the arguments of this process; npx and package scripts call it.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { program } from "./index.mjs";

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`hepcheck: cannot start ${program()}: ${error.message}`);
  process.exitCode = 126;
});
child.on("exit", (status, signal) => {
  process.exitCode = status ?? 128 + constants.signals[signal];
});
