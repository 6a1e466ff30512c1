export { ApiError } from "./api-error.ts";
export { type CallOptions, type Client, type ClientOptions, createClient } from "./create-client.ts";
export type { FollowedEvents, FollowOptions } from "./follow-events.ts";
export { type FollowedSession, followSession } from "./follow-session.ts";
export { readEventStream, type StreamedEvent } from "./read-event-stream.ts";
export type { PathNames, PathValues, Route } from "./route.ts";
export { type RouteName, type Routes, routes } from "./routes.ts";
export { approvalsIn, type Folded, foldEvent, type SessionView, viewOf } from "./session-view.ts";
export { type ErrorBody, errorBody } from "./wire/error.ts";
export {
  type FeedEvent,
  feedEvent,
  type Gap,
  type OperationCommitted,
  operationCommitted,
  type PassingEvent,
} from "./wire/event.ts";
export { type TurnEvent, turnEvent } from "./wire/turn-event.ts";
