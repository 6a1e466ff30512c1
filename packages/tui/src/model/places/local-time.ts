/** Times as the clock on the wall shows them. */
export function clockTime(iso: string): string {
  const date = new Date(iso);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function dateTime(iso: string): string {
  const date = new Date(iso);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockTime(iso)}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
