import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Starts the tests that take longest first, so that no core is idle at the end. Vitest knows how long a file took only where
 * it ran before; otherwise it starts the largest file first, and some that take a minute are small.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => group(a) - group(b));
  }
}

/** Tests in a browser take longest, then all other end-to-end tests. */
function group({ moduleId }: TestSpecification): number {
  const index = ["/e2e/web/", "/e2e/"].findIndex((folder) => moduleId.includes(folder));
  return index < 0 ? 2 : index;
}
