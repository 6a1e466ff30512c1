import type { ConfinedPlace, HiddenPath } from "./confined-place.ts";

/** The arguments that run a program in the place with `bwrap`. */
export function bubblewrap(bwrap: string, program: readonly string[], place: ConfinedPlace): string[] {
  const { root, temporary, readOnly, hiddenAround, hidden, shown } = place;
  return [
    ...[bwrap, "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"],
    ...["--unshare-cgroup-try", ...rights()],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc"],
    ...["--bind", temporary, "/tmp", "--bind", temporary, "/var/tmp"],
    ...hiddenAround.flatMap(({ path }) => ["--tmpfs", path]),
    ...shown.flatMap((path) => ["--ro-bind", path, path]),
    ...["--bind", root, root],
    // Only now: until here mount points are made in them.
    ...hiddenAround.flatMap(({ path }) => ["--remount-ro", path]),
    ...readOnly.flatMap((path) => ["--ro-bind", path, path]),
    ...hidden.flatMap(hide),
    ...["--chdir", root, "--", ...program],
  ];
}

function hide({ path, directory }: HiddenPath): string[] {
  return directory ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path];
}

/** Root keeps the rights to work on files of other users in the workspace, and no others. */
function rights(): string[] {
  if (process.getuid?.() !== 0) return ["--unshare-user"];
  return ["--cap-drop", "ALL", ...["CAP_DAC_OVERRIDE", "CAP_CHOWN", "CAP_FOWNER"].flatMap((cap) => ["--cap-add", cap])];
}
