export type { PathNames, PathValues, Route } from "../route.ts";
export { type RouteName, type Routes, routes } from "../routes.ts";
export { type ErrorBody, errorBody } from "../wire/error.ts";
export { event } from "../wire/event.ts";
