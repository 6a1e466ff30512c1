import { describe, expect, test } from "vitest";
import { actionFor, chosenKeys, KEY_MAP, NO_CHOICES, whyNotBound } from "./key-map.ts";

describe("keys that a user chooses", () => {
  test("take the place of those of the map, and leave all others", () => {
    const map = chosenKeys({ letters: true, keys: { branch: ["Ctrl+Alt+B"] } });
    expect([actionFor("Ctrl+Alt+B", "moving", map), actionFor("b", "moving", map)]).toEqual(["branch", undefined]);
    expect(map.filter(({ action }) => action !== "branch")).toEqual(
      KEY_MAP.filter(({ action }) => action !== "branch"),
    );
  });

  test("without letters, no single character is a command, and keys with Ctrl or a name still are", () => {
    const map = chosenKeys({ letters: false, keys: {} });
    for (const key of ["x", "J", "?", "/", " ", "g g"]) expect(actionFor(key, "moving", map)).toBeUndefined();
    expect(actionFor("ArrowDown", "moving", map)).toBe("next-row");
    expect(actionFor("Ctrl+Z", "moving", map)).toBe("undo-step");
    expect(actionFor("y", "approval", map)).toBe("allow");
  });

  test("a key is refused that another action of the same place has, that a field types, or that browsers keep", () => {
    const map = chosenKeys(NO_CHOICES);
    expect(whyNotBound(map, "branch", "x")).toContain("Take back only this");
    expect(whyNotBound(map, "branch", "g")).toContain("First row");
    expect(whyNotBound(map, "branch", "Ctrl+K")).toContain("All commands");
    expect(whyNotBound(map, "palette", "q")).toContain("Ctrl or Alt");
    expect(whyNotBound(map, "palette", "Ctrl+W")).toContain("another key");
    expect(whyNotBound(map, "branch", "q")).toBeUndefined();
    expect(whyNotBound(map, "branch", "b")).toBeUndefined();
    expect(whyNotBound(map, "allow", "x")).toBeUndefined();
  });
});
