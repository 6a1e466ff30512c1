/**
 * For every thread that reads files. Without a limit V8 lets the young generation of each thread grow to 134 MB during
 * a first capture, and keeps it. The limit causes more collections, which are cheap because most objects are garbage.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 4 };
