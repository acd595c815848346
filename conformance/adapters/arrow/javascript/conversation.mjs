// The conversation with the harness: one request per line, one reply per line.
import { createInterface } from "node:readline";
import { Refused } from "./cells.mjs";

// `operations` has a function for each operation; its result is the body of the reply.
export async function serve(hello, operations) {
  const reply = (body) => process.stdout.write(JSON.stringify(body) + "\n");
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    try {
      reply({ id: request.id, ok: request.op === "hello" ? { protocol: 1, ...hello } : await operations[request.op](request) });
    } catch (error) {
      const kind = error instanceof Refused ? "refused" : "failed";
      reply({ id: request.id, error: { kind, message: String(error.message ?? error).slice(0, 1000) } });
    }
  }
}
