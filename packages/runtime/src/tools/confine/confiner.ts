import type { Confined } from "../tool.ts";
import { confinedPlace, temporaryDirectory } from "./confined-place.ts";
import type { Confinement, ConfinementFound } from "./confinement.ts";
import { findConfinement } from "./find-confinement.ts";

interface ConfinerParts {
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Retake's own directories. */
  readonly own: readonly string[];
}

/** Confines the commands of one workspace. They share a temporary directory as long as it is open. */
export class Confiner {
  readonly #parts: ConfinerParts;
  #temporary: ReturnType<typeof temporaryDirectory> | undefined;

  constructor(parts: ConfinerParts) {
    this.#parts = parts;
  }

  find(): Promise<Confinement> {
    return findConfinement(this.#parts.environment);
  }

  /** `repositories`: the directories in the workspace that hold a `.git`, as bytes. */
  confine(by: ConfinementFound, repositories: readonly string[]): Confined {
    this.#temporary ??= temporaryDirectory();
    const { root, own } = this.#parts;
    return { by, place: confinedPlace({ root, own, repositories, temporary: this.#temporary.path }) };
  }

  close(): void {
    this.#temporary?.remove();
    this.#temporary = undefined;
  }
}
