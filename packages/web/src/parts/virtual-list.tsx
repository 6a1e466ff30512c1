import { type ComponentProps, useState } from "react";
import { VList } from "virtua";

/** Beside a name, the list needs a role of its own: assistive technology ignores the name of an element without one. */
interface VirtualListProps extends Omit<ComponentProps<typeof VList>, "role" | "aria-label" | "onResize"> {
  readonly role: "feed" | "group";
  readonly label: string;
}

/** A list that draws only the rows on the screen. It is busy until the browser has measured it: it has no rows before that. */
export function VirtualList({ label, className = "", "aria-busy": isBusy = false, ...props }: VirtualListProps) {
  const [isMeasured, setMeasured] = useState(false);
  return (
    <VList
      {...props}
      aria-label={label}
      aria-busy={isBusy || !isMeasured}
      className={`virtual-list ${className}`}
      onResize={() => setMeasured(true)}
    />
  );
}
