/** A name as it is typed in a shell: without the `#`, which would begin a comment, and quoted where the shell needs it. */
export function typedName(name: string): string {
  const typed = name.replace(/^#(?=\d)/, "");
  return /^[\w.,:/@%+=^-]+$/.test(typed) ? typed : `'${typed.replaceAll("'", "'\\''")}'`;
}
