import type { Command } from "../command.ts";
import { SERVE_OPTIONS, serveUntilEnded } from "../serve-until-ended.ts";

export const command: Command = {
  name: "web",
  group: "setup",
  summary: "Print a link that signs a browser in, once; starts a server if none runs",
  usage: "",
  apart: true,
  most: 0,
  options: SERVE_OPTIONS,
  examples: [
    ["retake web", "print the link"],
    ["retake web --port 4718", "serve at this port"],
  ],
  async run(call) {
    const { output } = call;
    await serveUntilEnded(call, (at, found, link) =>
      output.say({ ...at, already_running: found, link }, () => [
        `Open ${link}`,
        output.hint("The link is good once, and for two minutes. retake web makes another."),
      ]),
    );
  },
};
