/**
 * Keeps a text in this browser. A full or blocked storage is no failure of the change itself: the page goes on without the
 * copy. Nothing stays under the name then, because a later page would take an older text for the newest one.
 */
export function keep(storage: Storage, name: string, text: string): void {
  try {
    storage.setItem(name, text);
  } catch {
    storage.removeItem(name);
  }
}
