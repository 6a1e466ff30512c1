/**
 * An immutable, unordered map, for looking up one of many values by its key.
 *
 * A trie over a hash of the key, 32 ways a level: a key is found by its hash, five bits a level, and compared once at
 * the end. Finding one of 100,000 visits four small nodes, where a sorted map compares the key with seventeen others.
 * Setting or removing a key copies the nodes on its path.
 */
export class HashMap<V> implements Lookup<V> {
  readonly #root: Branch<V>;
  readonly size: number;

  private constructor(root: Branch<V>, size: number) {
    this.#root = root;
    this.size = size;
  }

  static empty<V>(): HashMap<V> {
    return new HashMap<V>({ bits: 0, slots: [] }, 0);
  }

  /** From pairs without duplicates, in one pass. */
  static from<V>(pairs: readonly (readonly [string, V])[]): HashMap<V> {
    const leaves = pairs.map(([key, value]) => ({ key, value, hash: hashOf(key), next: undefined }));
    return new HashMap<V>(gather(leaves, 0), leaves.length);
  }

  get(key: string): V | undefined {
    const hash = hashOf(key);
    let node: Slot<V> | undefined = this.#root;
    for (let shift = 0; node !== undefined && "slots" in node; shift += 5) node = slotFor(node, hash, shift);
    for (; node; node = node.next) if (node.key === key) return node.value;
    return undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  with(key: string, value: V): HashMap<V> {
    const root = put(this.#root, { key, value, hash: hashOf(key), next: undefined }, 0);
    return new HashMap(root, this.has(key) ? this.size : this.size + 1);
  }

  without(key: string): HashMap<V> {
    if (!this.has(key)) return this;
    return new HashMap(cut(this.#root, key, hashOf(key), 0) ?? { bits: 0, slots: [] }, this.size - 1);
  }
}

/** The part of a map that a state needs for look-ups. Values are never undefined. */
export interface Lookup<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
  with(key: string, value: V): Lookup<V>;
  without(key: string): Lookup<V>;
}

type Slot<V> = Branch<V> | Leaf<V>;
/** `bits` tells which of the 32 slots exist; `slots` holds those. */
type Branch<V> = { readonly bits: number; readonly slots: readonly Slot<V>[] };
/** Keys with the same hash form a chain. */
type Leaf<V> = { readonly key: string; readonly value: V; readonly hash: number; readonly next: Leaf<V> | undefined };

function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  // The low bits of this hash are the weak ones, and the first level of the trie uses them.
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 12);
}

function bitFor(hash: number, shift: number): number {
  return 1 << ((hash >>> shift) & 31);
}

function indexOf<V>(node: Branch<V>, bit: number): number {
  let below = node.bits & (bit - 1);
  below -= (below >>> 1) & 0x55555555;
  below = (below & 0x33333333) + ((below >>> 2) & 0x33333333);
  return Math.imul((below + (below >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function slotFor<V>(node: Branch<V>, hash: number, shift: number): Slot<V> | undefined {
  const bit = bitFor(hash, shift);
  return node.bits & bit ? node.slots[indexOf(node, bit)] : undefined;
}

/** A branch of leaves; each slot is made once. */
function gather<V>(leaves: readonly Leaf<V>[], shift: number): Branch<V> {
  const parts: Leaf<V>[][] = [];
  for (const leaf of leaves) {
    const which = (leaf.hash >>> shift) & 31;
    const part = parts[which];
    if (part) part.push(leaf);
    else parts[which] = [leaf];
  }
  let bits = 0;
  const slots: Slot<V>[] = [];
  // A sparse list: forEach visits the existing slots in order.
  parts.forEach((part, which) => {
    bits |= 1 << which;
    const [first] = part;
    slots.push(part.length === 1 && first ? first : together(part, shift + 5));
  });
  return { bits, slots };
}

function together<V>(leaves: readonly Leaf<V>[], shift: number): Slot<V> {
  const [first, ...others] = leaves as [Leaf<V>, ...Leaf<V>[]];
  if (others.some((leaf) => leaf.hash !== first.hash)) return gather(leaves, shift);
  return others.reduce((chain, leaf) => ({ ...leaf, next: chain }), first);
}

function put<V>(node: Branch<V>, leaf: Leaf<V>, shift: number): Branch<V> {
  const bit = bitFor(leaf.hash, shift);
  const at = indexOf(node, bit);
  const slot = node.bits & bit ? node.slots[at] : undefined;
  if (slot === undefined) return { bits: node.bits | bit, slots: node.slots.toSpliced(at, 0, leaf) };
  return { bits: node.bits, slots: node.slots.with(at, placed(slot, leaf, shift + 5)) };
}

function placed<V>(slot: Slot<V>, leaf: Leaf<V>, shift: number): Slot<V> {
  if ("slots" in slot) return put(slot, leaf, shift);
  if (slot.hash === leaf.hash) return { ...leaf, next: unchained(slot, leaf.key) };
  // Two keys with equal bits so far get a branch of their own.
  return put({ bits: bitFor(slot.hash, shift), slots: [slot] }, leaf, shift);
}

function unchained<V>(leaf: Leaf<V> | undefined, key: string): Leaf<V> | undefined {
  if (leaf === undefined || leaf.key === key) return leaf?.next;
  return { ...leaf, next: unchained(leaf.next, key) };
}

/** The branch without one of its keys; undefined when nothing is left. */
function cut<V>(node: Branch<V>, key: string, hash: number, shift: number): Branch<V> | undefined {
  const bit = bitFor(hash, shift);
  const at = indexOf(node, bit);
  const slot = node.slots[at] as Slot<V>;
  const rest = "slots" in slot ? cut(slot, key, hash, shift + 5) : unchained(slot, key);
  if (rest !== undefined) return { bits: node.bits, slots: node.slots.with(at, rest) };
  return node.slots.length === 1 ? undefined : { bits: node.bits & ~bit, slots: node.slots.toSpliced(at, 1) };
}
