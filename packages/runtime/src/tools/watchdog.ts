import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { basename } from "node:path";

/**
 * Ends commands when this process is killed [F13], and marks when they have ended, so that later changes of files are
 * not taken for theirs [F21]. One small shell for all commands of the process: it reads the running sessions from a
 * pipe that ends with this process, however it ends. A call may be guarded as a whole, too: then only the mark is made.
 * Without a mark, only what has its environment is ended.
 */
export function guardCommand(mark = `/dev/null/${randomUUID()}`): GuardedCommand {
  if (watchdog === undefined || watchdog.exitCode !== null || watchdog.signalCode !== null) watchdog = start();
  const { stdin } = watchdog;
  // A path with a line end is no line: such a command is ended by its session, but not marked.
  const path = mark.includes("\n") ? "/dev/null" : mark;
  let line = `0 ${path}`;
  stdin?.write(`+ ${line}\n`);
  return {
    environment: { RETAKE_COMMAND: basename(path) },
    started: (leader) => {
      stdin?.write(`- ${line}\n+ ${leader} ${path}\n`);
      line = `${leader} ${path}`;
    },
    ended: () => void stdin?.write(`- ${line}\n`),
  };
}

/** Made before the command is started: a kill may come right after that. */
export interface GuardedCommand {
  /** Its processes are found by this, also those that left its session. */
  readonly environment: Readonly<Record<string, string>>;
  /** Says which process leads its session. */
  started(leader: number): void;
  ended(): void;
}

let watchdog: ChildProcess | undefined;

function start(): ChildProcess {
  // In a session of its own, so that a kill of this process' group does not end it.
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

/**
 * Kills by group first, because that takes no look at `/proc`, and then whatever else is of the session or has the
 * command's environment, until nothing is left.
 */
const SCRIPT = `
trap '' HUP INT TERM
umask 077
PATH=/usr/bin:/bin
set -f
line_end='
'
IFS=$line_end
running=
while IFS=' ' read -r sign session; do
  [ "$sign" = + ] && running="$running$session$line_end" && continue
  rest= found=
  for each in $running; do
    [ -z "$found" ] && [ "$each" = "$session" ] && found=1 || rest="$rest$each$line_end"
  done
  running=$rest
done
for session in $running; do
  leader=\${session%% *}
  [ "$leader" = 0 ] || kill -KILL -"$leader" 2>/dev/null
done
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  left=
  set +f
  for status in /proc/[0-9]*/stat; do
    line=; read -r line 2>/dev/null <"$status" || continue
    pid=\${line%% *}
    IFS=' '
    set -- \${line##*) }
    IFS=$line_end
    [ "$1" = Z ] || [ "$4" = 0 ] && continue
    for session in $running; do
      [ "$4" = "\${session%% *}" ] && left=1 && kill -KILL "$pid" 2>/dev/null
    done
  done
  for session in $running; do
    for environment in $(grep -lsz "^RETAKE_COMMAND=\${session##*/}$" /proc/[0-9]*/environ); do
      pid=\${environment#/proc/}
      left=1
      kill -KILL "\${pid%/environ}" 2>/dev/null
    done
  done
  set -f
  [ -z "$left" ] && break
  sleep 0.02
done
# A clock may tick only every few milliseconds: no change of theirs is to have the time of the mark.
sleep 0.02
# A mark that is there stays: with a later time, edits of the user since then would be the command's.
set -C
for session in $running; do true >"\${session#* }"; done
exit 0
`;
