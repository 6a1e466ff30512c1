import type { ReactNode } from "react";

/** The heading of a panel, which its tab shows already, one sentence about it, and what it offers as a whole. */
export function PanelHeading({
  id,
  title,
  about,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly children?: ReactNode;
}) {
  return (
    <header className="flex items-start gap-3 px-4 pt-3 pb-2">
      <div className="min-w-0 flex-1">
        <h2 id={id} className="sr-only">
          {title}
        </h2>
        <p className="text-muted text-xs">{about}</p>
      </div>
      {children}
    </header>
  );
}
