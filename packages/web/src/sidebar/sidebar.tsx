import { Link } from "wouter";
import { useStore } from "../data/store.ts";
import { threads } from "../data/threads.ts";
import { changeTheme, type Theme, themeStore } from "../data/view-state.ts";

/** The threads of this machine. */
export function Sidebar({ thread }: { readonly thread: string }) {
  const { list, failure } = useStore(threads);
  const theme = useStore(themeStore);
  return (
    <nav className="sidebar" aria-label="Threads" data-region tabIndex={-1}>
      {failure && (
        <p role="alert" className="error-box">
          {failure}
        </p>
      )}
      <ul>
        {list?.map(({ id, title, running_turn }) => (
          <li key={id}>
            <Link href={`/t/${id}`} className="thread" aria-current={id === thread ? "page" : undefined}>
              <span className="truncate">{title}</span>
              {running_turn && <span className="dot" title="A turn runs" />}
            </Link>
          </li>
        ))}
      </ul>
      <label className="text-muted p-3 text-xs">
        Theme{" "}
        <select value={theme} onChange={(event) => changeTheme(event.target.value as Theme)}>
          <option value="system">System</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
          <option value="contrast">High contrast</option>
        </select>
      </label>
    </nav>
  );
}
