import type { Command } from "../command.ts";
import { SERVE_OPTIONS, serveUntilEnded } from "../serve-until-ended.ts";

export const command: Command = {
  name: "serve",
  group: "setup",
  summary: "Serve the HTTP API of this store, on loopback and on a socket, until it is ended",
  usage: "",
  apart: true,
  most: 0,
  options: SERVE_OPTIONS,
  examples: [
    ["retake serve", "at a free port"],
    ["retake serve --port 4717", "at this one"],
  ],
  async run(call) {
    const { output } = call;
    await serveUntilEnded(call, (at, found) =>
      output.say({ ...at, already_running: found }, () => [
        found ? `A server of this store is running already: ${at.url}` : `Retake serves this store at ${at.url}`,
        output.style("dim", `  socket ${at.socket}, process ${at.pid}, started ${at.started_at}`),
        output.hint("Programs send the token in state/token; a browser signs in with the link of retake web."),
      ]),
    );
  },
};
