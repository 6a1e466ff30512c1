/**
 * For every thread that looks at files. Without a limit V8 lets the young generation of each grow to 134 MB during a
 * first capture, and keeps it. The price is more collections, of garbage mostly, which cost little.
 */
export const threadLimits = { maxYoungGenerationSizeMb: 4 };
