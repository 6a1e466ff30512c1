import { Suspense, useEffect } from "react";
import { Redirect, Route, Switch } from "wouter";
import { watchVersion } from "./data/page-version.ts";
import { useStore } from "./data/store.ts";
import { followSync } from "./data/sync.ts";
import { followThreads, threads } from "./data/threads.ts";
import { ThreadScreen } from "./layout/thread-screen.tsx";
import { Welcome } from "./layout/welcome.tsx";
import { lazily } from "./parts/lazily.tsx";

const SearchScreen = lazily(() =>
  import("./search/search-screen.tsx").then(({ SearchScreen: screen }) => ({ default: screen })),
);

/** The screens by their addresses. A link to a thread, a take or an entry can be copied and opened anywhere. */
export function App() {
  useEffect(followThreads, []);
  useEffect(followSync, []);
  useEffect(watchVersion, []);
  return (
    <Switch>
      <Route path="/t/:thread/*?">{({ thread }) => <ThreadScreen key={thread} thread={thread} />}</Route>
      <Route path="/search">
        <Suspense fallback={null}>
          <SearchScreen />
        </Suspense>
      </Route>
      <Route>
        <Start />
      </Route>
    </Switch>
  );
}

/** Leads to the thread that commands act on here, or to the first steps where there is none. */
function Start() {
  const { list, failure } = useStore(threads);
  if (failure) return <Welcome failure={failure} />;
  if (!list) return null;
  const current = list.find(({ active }) => active) ?? list[0];
  return current ? <Redirect to={`/t/${current.id}`} replace /> : <Welcome />;
}
