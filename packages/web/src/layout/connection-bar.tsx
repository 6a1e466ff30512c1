import { useEffect, useState, useSyncExternalStore } from "react";
import { channel } from "../data/connection.ts";
import { isOutdated } from "../data/page-version.ts";
import { useStore } from "../data/store.ts";

const QUIET_MS = 3000;

/** Says that the server cannot be reached, where one looks. Nothing is said of an interruption of a moment. */
export function ConnectionBar() {
  const connection = useConnection();
  const outdated = useStore(isOutdated);
  const [long, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (connection !== "lost") return;
    const timer = setTimeout(() => setLong(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  if (connection === "signed-out")
    return (
      <p role="alert" className="bar">
        This browser is not signed in any more. Run <code>retake web</code> and open the link that it prints. What you
        typed stays here.
      </p>
    );
  if (connection === "lost" && long)
    return (
      <p role="alert" className="bar">
        The server cannot be reached. Reading and typing go on; the page comes back by itself.
      </p>
    );
  if (outdated)
    return (
      <div role="status" className="bar bar-action">
        <p>The server has a new version of this page. What you typed stays when you load it again.</p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  return null;
}

export function useConnection() {
  return useSyncExternalStore(
    (listener) => channel.onConnection(listener),
    () => channel.connection,
  );
}
