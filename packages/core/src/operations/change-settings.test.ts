import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS, SETTING_FIELDS, type SettingField, type Settings } from "../session/setting.ts";
import { recordOf } from "../session/state.ts";
import { setting, settings } from "../session/view.ts";
import { visibleText, World } from "../testing/world.ts";
import { changeSetting, changeSettings } from "./change-settings.ts";

const OTHER: Settings = {
  draft: "Fix the",
  base_system_prompt: "Be brief.",
  global_system_prompt: "Write tests.",
  project_system_prompt: "Use tabs.",
  use_default_base_prompt: false,
  temperature: 0.5,
  top_p: 0.9,
  max_tokens: 100,
  auto_add_history: true,
  model: "scripted/default",
  undo_depth: 3,
  auto_compress: false,
  budget: 2.5,
};

const set = <Field extends SettingField>(world: World, field: Field, value: Settings[Field]) =>
  changeSetting(world.state, world.context(), { field, value });

/** Types a text into a field letter by letter, one every 0.2 seconds. */
function type(world: World, field: "draft" | "model", text: string): void {
  for (let end = 1; end <= text.length; end += 1) {
    if (end > 1) world.now -= 1800;
    world.must(changeSetting(world.state, world.context(), { field, value: text.slice(0, end), typing: true }));
  }
}

describe("changeSetting", () => {
  test.each(SETTING_FIELDS)(
    "[S2] [O4] sets %s, changes nothing the second time, and one step takes it back",
    (field) => {
      const world = new World();
      const before = visibleText(world.state);
      world.must(set(world, field, OTHER[field]));
      expect(settings(world.state, "t1")).toEqual({ ...DEFAULT_SETTINGS, [field]: OTHER[field] });
      expect(set(world, field, OTHER[field])).toMatchObject({ kind: "refused", code: "nothing-to-do" });
      world.undo({ steps: true });
      expect(visibleText(world.state)).toBe(before);
    },
  );

  test("[R4] [O4] setting the default of a setting that was never set changes nothing and makes no record", () => {
    const world = new World();
    expect(set(world, "max_tokens", DEFAULT_SETTINGS.max_tokens)).toMatchObject({ code: "nothing-to-do" });
    expect(recordOf(world.state, "t1/setting:max_tokens")).toBeUndefined();
  });

  test("[S4] [G3] a burst of typing is one step; a pause and another field begin another", () => {
    const world = new World();
    type(world, "draft", "one");
    type(world, "draft", "one two");
    type(world, "model", "a/b");
    const seen = [];
    for (let step = 0; step < 3; step += 1) {
      seen.push([setting(world.state, "t1", "draft"), setting(world.state, "t1", "model")]);
      world.undo({ steps: true });
    }
    expect(seen).toEqual([
      ["one two", "a/b"],
      ["one two", ""],
      ["one", ""],
    ]);
    expect(setting(world.state, "t1", "draft")).toBe("");
  });

  test.each([
    ["temperature", 2.1],
    ["top_p", -0.1],
    ["max_tokens", -1],
    ["max_tokens", 1.5],
    ["colour", "red"],
  ])("[O3] refuses %s = %j by its name and changes nothing", (field, value) => {
    const world = new World();
    const before = visibleText(world.state);
    const refused = world.try(set(world, field as "draft", value as string));
    expect(refused).toMatchObject({ kind: "refused", code: "invalid-input" });
    expect((refused as { message: string }).message).toContain(field);
    expect(visibleText(world.state)).toBe(before);
  });
});

describe("changeSettings", () => {
  test("[S2] sets several settings as one step, and leaves equal ones alone", () => {
    const world = new World();
    world.must(set(world, "temperature", 1));
    const before = visibleText(world.state);
    const done = world.must(
      changeSettings(world.state, world.context(), { settings: { temperature: 1, top_p: 0.5, model: "a/b" } }),
    );
    expect(done.diff.changes.map(({ id }) => id).sort()).toEqual([
      "t1/group:00000003",
      "t1/setting:model",
      "t1/setting:top_p",
    ]);
    expect(settings(world.state, "t1")).toEqual({ ...DEFAULT_SETTINGS, temperature: 1, top_p: 0.5, model: "a/b" });
    world.undo({ steps: true });
    expect(visibleText(world.state)).toBe(before);
  });

  test("[O3] one wrong field refuses all of them", () => {
    const world = new World();
    const input = { settings: { model: "a/b", temperature: 9 } };
    expect(changeSettings(world.state, world.context(), input)).toMatchObject({ code: "invalid-input" });
    expect(settings(world.state, "t1")).toEqual(DEFAULT_SETTINGS);
  });
});
