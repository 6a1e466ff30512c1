/** The meaning of Ctrl+Z on the screen: `tui.ctrl_z` of the configuration. */
export type CtrlZ = "undo" | "suspend";

/** A text that names Ctrl+Z as the way to undo, for a screen on which that key suspends as well. */
export function undoWords(text: string, ctrlZ: CtrlZ): string {
  return ctrlZ === "suspend" ? text.replaceAll("Ctrl+Z", "/undo --step") : text;
}
