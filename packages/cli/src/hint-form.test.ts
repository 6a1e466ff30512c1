import { expect, test } from "vitest";
import { inForm } from "./hint-form.ts";

const TEXT =
  "Take this back: retake undo --step. retake takes lists them; retake <command> --help says more, retake --help all.";

test("[F64] hints speak as commands are typed in the place where they are read", () => {
  expect(inForm("shell", TEXT)).toBe(TEXT);
  expect(inForm("prompt", TEXT)).toBe(
    "Take this back: /undo --step. /takes lists them; /<command> --help says more, /help all.",
  );
  expect(inForm("prompt", "Retake is not retaken.")).toBe("Retake is not retaken.");
});
