export { ApiError } from "./api-error.ts";
export { type CallOptions, type Client, type ClientOptions, createClient } from "./create-client.ts";
export type { FollowedEvents, FollowOptions } from "./follow-events.ts";
export { type FollowedSession, followSession, type SessionFollower, windowQuery } from "./follow-session.ts";
export { readEventStream, type StreamedEvent } from "./read-event-stream.ts";
export {
  approvalsIn,
  type Folded,
  foldEvent,
  type Live,
  type LiveOutput,
  liveText,
  type SessionView,
  viewOf,
} from "./session-view.ts";
export type { RetakeEvent } from "./wire/event.ts";
