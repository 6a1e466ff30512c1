export type { Choice, ScreenPorts } from "./ports.ts";
export { runScreen } from "./run-screen.ts";
