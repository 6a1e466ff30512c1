/**
 * Opens the terminal UI. Its first frame is drawn before anything that works with threads is loaded: loading that takes longer
 * than everything until then. Keys that are pressed meanwhile wait in the terminal.
 */
import { join } from "node:path";
import { directories } from "@retake/runtime";
import { FullScreen, openingView } from "@retake/tui/opening";
import { SIGNAL_EXITS } from "./end-with-process.ts";
import type { ScreenSettings } from "./screen-settings.ts";
import type { ScreenTerminal, Signal, World } from "./world.ts";

export async function openScreen(world: World, terminal: ScreenTerminal, settings: ScreenSettings): Promise<void> {
  const { environment, directory } = world;
  const isUnicode = speaksUnicode(environment);
  const shown = new FullScreen(terminal, { ...settings, colour: environment["NO_COLOR"] === undefined, isUnicode });
  const ending = new Ending(world);
  const unmark = terminal.mark(join(directories(environment).state, "terminals"));
  shown.enter();
  shown.draw(openingView(shown.size, directory, settings.ctrlZ));
  try {
    const { talkOnScreen } = await import("./talk-on-screen.ts");
    await talkOnScreen(world, { terminal, settings, shown, onEnd: (end) => ending.whenEnded(end) });
  } finally {
    shown.leave();
    unmark();
  }
}

/** Only where the environment names another encoding: where it says nothing, terminals of today speak UTF-8. */
function speaksUnicode({ LC_ALL, LC_CTYPE, LANG }: World["environment"]): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return locale === "" || /utf-?8/i.test(locale);
}

/** The signals that end the process: also one that comes before anybody listens is heard. */
class Ending {
  readonly #leave: readonly (() => void)[];
  #isEnded = false;
  #end: (() => void) | undefined;

  constructor(world: World) {
    this.#leave = (Object.entries(SIGNAL_EXITS) as [Signal, number][]).map(([signal, code]) =>
      world.onSignal(signal, () => {
        world.exitCode = code;
        this.#isEnded = true;
        this.#end?.();
      }),
    );
  }

  whenEnded(end: () => void): () => void {
    this.#end = end;
    if (this.#isEnded) end();
    return () => {
      for (const leave of this.#leave) leave();
    };
  }
}
