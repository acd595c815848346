#!/usr/bin/env node
// Runs the program with the arguments of this process; npx and package scripts call it.
import { Worker } from "node:worker_threads";

const columns = process.stdout.isTTY ? process.stdout.columns || 80 : 0;
const worker = new Worker(new URL("worker.mjs", import.meta.url), { workerData: { args: process.argv.slice(2), columns } });
worker.on("message", ({ status }) => { process.exitCode = status; });
worker.on("error", (error) => {
  console.error(`hepcheck: ended by ${error.message}`);
  process.exitCode = 126;
});
