import { type ComponentType, lazy } from "react";

/**
 * A part of the page that is loaded when it is first shown. Where its script cannot be loaded, because the server is away or
 * has another version, the rest of the page goes on. A browser does not ask for the same script again before a reload.
 */
// biome-ignore lint/suspicious/noExplicitAny: of any properties, as React's own `lazy`
export function lazily<Part extends ComponentType<any>>(load: () => Promise<{ readonly default: Part }>) {
  return lazy<ComponentType<React.ComponentProps<Part>>>(() => load().catch(() => ({ default: NotLoaded })));
}

function NotLoaded() {
  return (
    <div role="alert" className="text-muted flex flex-col items-start gap-2 p-4 text-sm">
      <p>This part of the page could not be loaded. What you typed stays when you load the page again.</p>
      <button type="button" className="button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}
