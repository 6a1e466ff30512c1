import type { Command } from "../command.ts";
import { SERVE_OPTIONS, serveUntilEnded } from "../serve-until-ended.ts";

export const command: Command = {
  name: "web",
  summary: "A link that signs a browser in, once; serves the store unless a server runs already",
  usage: "[--port N] [--host address --tls-cert file --tls-key file]",
  apart: true,
  most: 0,
  options: SERVE_OPTIONS,
  async run(call) {
    const { output } = call;
    await serveUntilEnded(call, (at, found, link) =>
      output.say({ ...at, already_running: found, link }, () => [
        `Open ${link}`,
        output.style("dim", "  The link is good once, and for two minutes. retake web makes another."),
      ]),
    );
  },
};
