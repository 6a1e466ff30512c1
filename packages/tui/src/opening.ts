/** All that the first frame needs. It is loaded before everything else. */
export { openingView } from "./screens/opening-view.ts";
export { FullScreen, type TerminalOutput, type TerminalStreams } from "./terminal/terminal.ts";
