import { type Client, createClient } from "@retake/client";
import { EventChannel } from "./event-channel.ts";

/** The one event stream of this tab, and the one client, whose events come from it. */
export const channel = new EventChannel();

const direct = createClient({ url: location.origin });

export const client: Client = {
  ...direct,
  followEvents: (options) => channel.follow(options),
};
