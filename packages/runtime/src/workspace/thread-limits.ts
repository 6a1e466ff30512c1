/**
 * For every thread that looks at files. Without it V8 lets the young generation of each grow to 134 MB during a
 * first capture and keeps it; what the threads make and drop is no slower to collect in 8 MB.
 */
export const threadLimits = { maxYoungGenerationSizeMb: 8 };
