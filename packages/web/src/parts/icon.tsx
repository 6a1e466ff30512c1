/** Small line drawings, 16 by 16. They carry no meaning alone: each stands beside a word or in a named button. */
const PATHS = {
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6.5a4 4 0 0 1 0 8H7",
  redo: "m10 3 3.5 3.5L10 10M13 6.5H6.5a4 4 0 0 0 0 8H9",
  branch:
    "M4.5 5.5v5M4.5 5.5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5ZM4.5 14a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5ZM11.5 6.5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5Zm0 0c0 3-4 2.5-6.5 4.5",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  close: "m4 4 8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  search: "M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10Zm3.5-1.5L14 14",
  pin: "M8 10v4M5 2.5h6M6 2.5v4L4 10h8l-2-3.5v-4",
  stop: "M4.5 4.5h7v7h-7z",
  send: "M8 13V3M3.5 7.5 8 3l4.5 4.5",
  down: "M8 3v10M3.5 8.5 8 13l4.5-4.5",
  chevron: "m6 4 4 4-4 4",
  sidebar: "M2.5 3h11v10h-11zM6.5 3v10",
  inspector: "M2.5 3h11v10h-11zM9.5 3v10",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  terminal: "m3 5 3 3-3 3M8 11h5",
  edit: "m10.5 3 2.5 2.5L6 12.5l-3 .5.5-3z",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5 5 13h6l.5-8.5",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  link: "M7 9a3 3 0 0 0 4.2 0l1.6-1.6a3 3 0 0 0-4.2-4.2L8 3.8M9 7a3 3 0 0 0-4.2 0L3.2 8.6a3 3 0 0 0 4.2 4.2l.6-.6",
  check: "m3 8.5 3.5 3.5L13 5",
  warning: "M8 2 14.5 13.5h-13zM8 6.5v3.5M8 12h.01",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3.5l2 1.5",
  gear: "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM8 1.8v1.7M8 12.5v1.7M2.6 4.9l1.5.9M11.9 10.2l1.5.9M2.6 11.1l1.5-.9M11.9 5.8l1.5-.9",
  thread: "M2.5 3.5h11v7.5H7L4 13.5V11H2.5z",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01",
  thinking: "M8 13.5V12M5.8 11.8a4 4 0 1 1 4.4 0M6 13.8h4",
  image: "M2.5 3h11v10h-11zM2.5 11.5 6 8l2.5 2.5L10.5 8.5l3 3M10.5 5.8h.01",
  tool: "M9.5 6.5 3.5 12.5l-1-1 6-6M8.5 5.5a3 3 0 0 1 4-3L10.8 4.2l1 1 1.7-1.7a3 3 0 0 1-4 4",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className = "" }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className={`size-4 shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? 2.2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
