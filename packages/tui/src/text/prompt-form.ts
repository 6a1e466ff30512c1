/** A text that names commands as a shell has them (`retake undo`), with the slash commands of the prompt (`/undo`). */
export function promptForm(text: string): string {
  return text.replaceAll(/\bretake (?:--(?=help))?(?=[a-z<])/g, "/");
}
