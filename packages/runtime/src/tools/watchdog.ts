import { type ChildProcess, spawn } from "node:child_process";

/**
 * Ends commands when this process is killed [F13]. One small shell for all commands of the process: it is told which
 * sessions run, and reads from a pipe that ends with this process, however it ends.
 */
export function guardSession(leader: number): () => void {
  if (watchdog === undefined || watchdog.exitCode !== null || watchdog.signalCode !== null) watchdog = start();
  const { stdin } = watchdog;
  stdin?.write(`+ ${leader}\n`);
  return () => void stdin?.write(`- ${leader}\n`);
}

let watchdog: ChildProcess | undefined;

function start(): ChildProcess {
  // In a session of its own: what ends this process' group must not end it.
  const child = spawn("/bin/sh", ["-c", SCRIPT], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: {},
  });
  child.on("error", () => {});
  child.stdin?.on("error", () => {});
  child.unref();
  (child.stdin as { unref?: () => void } | null)?.unref?.();
  return child;
}

/** Kills by group first, because that takes no look at `/proc`, and then whatever else is of the session. */
const SCRIPT = `
trap '' HUP INT TERM
running=
while read -r sign leader; do
  rest=
  for each in $running; do [ "$each" = "$leader" ] || rest="$rest $each"; done
  running=$rest
  [ "$sign" = + ] && running="$running $leader"
done
for round in 1 2 3; do
  for leader in $running; do
    kill -KILL -"$leader" 2>/dev/null
    for status in /proc/[0-9]*/stat; do
      line=; read -r line 2>/dev/null <"$status" || continue
      pid=\${line%% *}
      set -- \${line##*) }
      [ "$4" = "$leader" ] && kill -KILL "$pid" 2>/dev/null
    done
  done
done
exit 0
`;
