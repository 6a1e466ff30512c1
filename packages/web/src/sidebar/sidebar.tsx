import { preview } from "@retake/core";
import { useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import { overlay } from "../commands/overlay.ts";
import { newThread } from "../commands/thread-commands.ts";
import { useTitle } from "../data/key-choices.ts";
import { useStore } from "../data/store.ts";
import { type ThreadSummary, threads } from "../data/threads.ts";
import { changePanels, changeTheme, type Theme, themeStore } from "../data/view-state.ts";
import { Icon } from "../parts/icon.tsx";
import { Key } from "../parts/menu.tsx";
import { shortTime } from "../parts/time.ts";
import { useAct } from "../parts/use-act.ts";
import { FROM_HERE, searchAddress } from "../search/search-address.ts";
import { type FoundThread, useSearch } from "./use-search.ts";

/** How far the list was scrolled. Every thread has a screen of its own, with a list of its own. */
let scrolled = 0;
const keepScrolled = (list: HTMLElement | null) => {
  list?.scrollTo(0, scrolled);
  return () => {
    scrolled = list?.scrollTop ?? 0;
  };
};

const DAY = 24 * 60 * 60 * 1000;

/** The threads: search, pinned first, then by day. */
export function Sidebar({ thread }: { readonly thread: string }) {
  const { list, failure } = useStore(threads);
  const theme = useStore(themeStore);
  const [words, setWords] = useState("");
  const found = useSearch(words);
  const newTitle = useTitle("New thread", "new-thread");
  const [, go] = useLocation();
  const { busy, act } = useAct();
  const here = list?.find(({ id }) => id === thread)?.workspace_root;
  const groups = useMemo(() => groupsOf(list ?? []), [list]);
  const close = () => innerWidth < 1100 && changePanels({ sidebar: false });
  return (
    <nav className="sidebar" aria-label="Threads" data-region tabIndex={-1}>
      <div className="sidebar-head">
        <strong className="brand">Retake</strong>
        <button
          type="button"
          className="icon-button"
          aria-label="New thread"
          title={newTitle}
          disabled={busy}
          onClick={(event) =>
            act(event, async () => {
              const address = await newThread();
              if (address) go(address);
              close();
            })
          }
        >
          <Icon name="plus" />
        </button>
        <button
          type="button"
          className="icon-button narrow-only"
          aria-label="Close the threads"
          onClick={() => changePanels({ sidebar: false })}
        >
          <Icon name="close" />
        </button>
      </div>
      <search className="sidebar-search">
        <Icon name="search" />
        <input
          id="thread-search"
          type="search"
          aria-label="Search all threads"
          placeholder="Search all threads"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && words.trim() !== "") go(searchAddress(words), { state: FROM_HERE });
          }}
        />
      </search>
      <div ref={keepScrolled} className="sidebar-list">
        {failure && (
          <p role="alert" className="error-box">
            {failure}
          </p>
        )}
        {words.trim() === "" ? (
          groups.map(({ title, items }) => (
            <section key={title} aria-label={title}>
              <h2>{title}</h2>
              <ul>
                {items.map((item) => (
                  <ThreadItem key={item.id} item={item} current={item.id === thread} here={here} onOpen={close} />
                ))}
              </ul>
            </section>
          ))
        ) : (
          <>
            <Link href={searchAddress(words)} state={FROM_HERE} className="match" onClick={close}>
              All results and filters
            </Link>
            <Found found={found} onOpen={close} />
          </>
        )}
      </div>
      <div className="sidebar-foot">
        <label>
          <span className="sr-only">Theme</span>
          <select value={theme} onChange={(event) => changeTheme(event.target.value as Theme)}>
            <option value="system">System theme</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
            <option value="contrast">High contrast</option>
          </select>
        </label>
        <button type="button" className="small-button" title="All commands" onClick={() => overlay.set("palette")}>
          Commands <Key action="palette" />
        </button>
        <button type="button" className="small-button" onClick={() => overlay.set("keys")}>
          Keys <Key action="show-keys" />
        </button>
      </div>
    </nav>
  );
}

function ThreadItem({
  item,
  current,
  here,
  onOpen,
}: {
  readonly item: ThreadSummary;
  readonly current: boolean;
  readonly here: string | undefined;
  readonly onOpen: () => void;
}) {
  const { id, title, running_turn, updated_at, takes, tags, workspace_root } = item;
  const writing = running_turn !== null && !current && workspace_root === here;
  return (
    <li>
      <Link href={`/t/${id}`} className="thread" aria-current={current ? "page" : undefined} onClick={onOpen}>
        <span className="thread-name">{title}</span>
        <span className="thread-facts">
          {running_turn !== null && <span className="dot running" role="img" aria-label="A turn runs" />}
          {writing && <span className="badge warn">also writing here</span>}
          {takes > 1 && <span>{`${takes} takes`}</span>}
          {tags.map((tag) => (
            <span key={tag} className="badge">
              {tag}
            </span>
          ))}
          <time dateTime={updated_at}>{shortTime(updated_at)}</time>
        </span>
      </Link>
    </li>
  );
}

function Found({ found, onOpen }: { readonly found: ReturnType<typeof useSearch>; readonly onOpen: () => void }) {
  if (found.failure)
    return (
      <p role="alert" className="error-box">
        {found.failure}
      </p>
    );
  if (!found.threads) return <p className="text-muted px-3 text-sm">Searching …</p>;
  if (found.threads.length === 0) return <p className="text-muted px-3 text-sm">Nothing was found.</p>;
  return (
    <ul aria-label="Found">
      {found.threads.map((each: FoundThread) => (
        <li key={each.id}>
          <Link href={`/t/${each.id}`} className="thread" onClick={onOpen}>
            <span className="thread-name">{each.title}</span>
          </Link>
          {each.matches.slice(0, 3).map(({ entry_id, snippet }) => (
            <Link
              key={entry_id}
              href={`/t/${each.id}?entry=${encodeURIComponent(entry_id)}`}
              className="match"
              onClick={onOpen}
            >
              {preview({ content: snippet }, 80)}
            </Link>
          ))}
        </li>
      ))}
    </ul>
  );
}

function groupsOf(
  list: readonly ThreadSummary[],
): { readonly title: string; readonly items: readonly ThreadSummary[] }[] {
  const now = Date.now();
  const age = ({ updated_at }: ThreadSummary) => now - Date.parse(updated_at);
  const rest = list.filter(({ pinned }) => !pinned);
  return [
    { title: "Pinned", items: list.filter(({ pinned }) => pinned) },
    { title: "Today", items: rest.filter((each) => age(each) < DAY) },
    { title: "This week", items: rest.filter((each) => age(each) >= DAY && age(each) < 7 * DAY) },
    { title: "Older", items: rest.filter((each) => age(each) >= 7 * DAY) },
  ].filter(({ items }) => items.length > 0);
}
