import { activeTake, pathsIn, roles, type State, settings } from "@retake/core";

export function settingsOf(state: State, take = activeTake(state)) {
  return {
    ...settings(state, take),
    files: pathsIn(state, take, "file"),
    context_files: pathsIn(state, take, "context"),
    screenshots: pathsIn(state, take, "screenshot"),
  };
}

export function rolesOf(state: State) {
  return { roles: roles(state, activeTake(state)) };
}

export function contextOf(state: State) {
  return { context: pathsIn(state, activeTake(state), "context") };
}
