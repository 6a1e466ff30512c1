import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject } from "@retake/core";
import { afterEach } from "vitest";
import type { Tool, ToolEnd, ToolRun } from "../tool.ts";

/** A workspace for tools, a directory beside it that is outside, and one for overflow; gone after the test. */
export function temporaryPlaces(): (name?: string) => TemporaryPlace {
  const made: TemporaryPlace[] = [];
  afterEach(() => {
    for (const { home } of made.splice(0)) rmSync(home, { recursive: true, force: true });
  });
  return (name) => {
    const place = new TemporaryPlace(name);
    made.push(place);
    return place;
  };
}

export class TemporaryPlace {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "retake-tools-")));
  readonly root: string;
  readonly outside = join(this.home, "outside");
  readonly kept = join(this.home, "kept");
  readonly reports: Parameters<ToolRun["report"]>[0][] = [];
  #runs = 0;

  constructor(name = "work") {
    this.root = join(this.home, name);
    mkdirSync(this.root);
    mkdirSync(this.outside);
  }

  path(name: string): string {
    return join(this.root, name);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  /** Empty while there is no such file. */
  tryRead(name: string): string {
    return existsSync(this.path(name)) ? this.read(name) : "";
  }

  /** Checked, then run, with nothing approved beyond what the path itself says. */
  async call(tool: Tool, input: JsonObject, options: Partial<ToolRun> = {}): Promise<ToolEnd> {
    const problem = tool.check(input);
    if (problem !== undefined) return { outcome: "failed", content: problem };
    return await tool.run(input, this.run(options));
  }

  run(options: Partial<ToolRun> = {}): ToolRun {
    this.#runs += 1;
    return {
      root: this.root,
      kept: this.kept,
      signal: new AbortController().signal,
      report: (progress) => this.reports.push(progress),
      overflow: join(this.kept, `${this.#runs}.txt`),
      environment: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: this.outside },
      ...options,
    };
  }
}
