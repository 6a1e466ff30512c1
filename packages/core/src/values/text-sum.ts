/**
 * A sum over a text, 53 bits: equal texts have equal sums, and other texts almost never do. It tells apart what people
 * and models wrote; it is no defence against someone who looks for two texts with one sum.
 */
export function textSum(text: string): number {
  let low = 0x9e3779b9;
  let high = 0x85ebca6b;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x5bd1e995) + (low >>> 15);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
