/**
 * A question is answered only after it was on the screen for so long without a press: an earlier press was not meant for it.
 * Longer than the pause between two keys of a typed word.
 */
export const QUIET_MS = 250;
