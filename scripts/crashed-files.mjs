// A reporter for vitest: writes down the test files whose process was ended by a signal. Such an end is
// Node's own (an assertion that fails, an error that nobody catches end it otherwise).
import { writeFileSync } from "node:fs";

export default class CrashedFiles {
  onTestRunEnd(_modules, errors) {
    const files = errors.map((error) =>
      /exited unexpectedly with signal (SIGSEGV|SIGBUS|SIGILL|SIGTRAP|SIGABRT) .*while running test file (.+)$/s
        .exec(`${error.cause?.message ?? error.message}`)
        ?.at(2),
    );
    const crashed = { files: files.filter((file) => file), others: files.filter((file) => !file).length };
    writeFileSync(process.env.RETAKE_CRASHED_FILES, JSON.stringify(crashed));
  }
}
