/**
 * A checksum of a text, 53 bits: equal texts have equal sums, and different texts almost never do. It distinguishes
 * texts that people and models write; it does not withstand someone who searches for two texts with the same sum.
 */
export function textSum(text: string): number {
  // `| 0` keeps both within 32 bits, with which V8 counts three times as fast. The sum is the same without it.
  let low = 0x9e3779b9 | 0;
  let high = 0x85ebca6b | 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = (Math.imul(high ^ unit, 0x5bd1e995) + (low >>> 15)) | 0;
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
