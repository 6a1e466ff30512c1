/**
 * An immutable map in key order, whose versions share their common parts.
 *
 * A B+tree: leaves hold at most 32 values; inner nodes know the first key and the number of values below each child.
 * Setting or removing a key copies the few nodes on its path and shares the rest. So the old and the new map both stay
 * valid, a reader never sees half of a change, and the cost grows with the depth of the tree: 2 levels for 100 values,
 * 4 for 100,000.
 */
export class SortedMap<V> implements Table<V> {
  readonly #root: Node<V>;

  private constructor(root: Node<V>) {
    this.#root = root;
  }

  static empty<V>(): SortedMap<V> {
    return new SortedMap<V>({ keys: [], values: [] });
  }

  /** Builds a map in one pass, from pairs that are in order and without duplicates. */
  static fromSorted<V>(pairs: readonly (readonly [string, V])[]): SortedMap<V> {
    let level: Node<V>[] = [];
    for (let at = 0; at < pairs.length; at += FILL) {
      const part = pairs.slice(at, at + FILL);
      level.push({ keys: part.map(([key]) => key), values: part.map(([, value]) => value) });
    }
    while (level.length > 1) {
      const above: Node<V>[] = [];
      for (let at = 0; at < level.length; at += FILL) above.push(inner(level.slice(at, at + FILL)));
      level = above;
    }
    return new SortedMap(level[0] ?? { keys: [], values: [] });
  }

  get size(): number {
    return count(this.#root);
  }

  get(key: string): V | undefined {
    let node = this.#root;
    while ("children" in node) node = child(node, place(node.keys, key));
    const at = search(node.keys, key);
    return at >= 0 ? node.values[at] : undefined;
  }

  has(key: string): boolean {
    let node = this.#root;
    while ("children" in node) node = child(node, place(node.keys, key));
    return search(node.keys, key) >= 0;
  }

  with(key: string, value: V): SortedMap<V> {
    const [first, second] = set(this.#root, key, value);
    return new SortedMap(second ? inner([first, second]) : first);
  }

  without(key: string): SortedMap<V> {
    const root = remove(this.#root, key);
    if (root === this.#root) return this;
    // An inner node with one child is replaced by that child.
    return new SortedMap("children" in root && root.children.length === 1 ? child(root, 0) : root);
  }

  /** The pair at a position, counted from 0. */
  at(index: number): readonly [string, V] | undefined {
    if (!(index >= 0 && index < this.size)) return undefined;
    let node = this.#root;
    let rest = index;
    while ("children" in node) {
      let which = 0;
      for (let below = count(child(node, 0)); rest >= below; below = count(child(node, which))) {
        rest -= below;
        which += 1;
      }
      node = child(node, which);
    }
    return [node.keys[rest] as string, node.values[rest] as V];
  }

  /** How many keys come before this one. */
  rank(key: string): number {
    let node = this.#root;
    let before = 0;
    while ("children" in node) {
      const which = place(node.keys, key);
      for (let index = 0; index < which; index += 1) before += count(child(node, index));
      node = child(node, which);
    }
    const at = search(node.keys, key);
    return before + (at >= 0 ? at : -1 - at);
  }

  entries(from = ""): IterableIterator<readonly [string, V]> {
    return walk(this.#root, from);
  }

  descending(before?: string): IterableIterator<readonly [string, V]> {
    return walkBack(this.#root, before);
  }

  withoutRange(from: string, to?: string): SortedMap<V> {
    let rest: SortedMap<V> = this;
    for (const [key] of this.entries(from)) {
      if (to !== undefined && key >= to) break;
      rest = rest.without(key);
    }
    return rest;
  }

  where(keeps: (key: string, value: V) => boolean): SortedMap<V> {
    let rest: SortedMap<V> = this;
    for (const [key, value] of this.entries()) if (!keeps(key, value)) rest = rest.without(key);
    return rest;
  }
}

/** The map operations that a state needs. Another implementation may read missing values from a store. */
export interface Table<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
  with(key: string, value: V): Table<V>;
  without(key: string): Table<V>;
  at(index: number): readonly [string, V] | undefined;
  rank(key: string): number;
  /** In order; with `from`, starting at that key or the first after it. */
  entries(from?: string): IterableIterator<readonly [string, V]>;
  /** In reverse order; with `before`, starting at the last key below it. */
  descending(before?: string): IterableIterator<readonly [string, V]>;
  /** The map without the keys from `from` on and below `to`; without `to`, up to the end. */
  withoutRange(from: string, to?: string): Table<V>;
  /** The map with only the pairs that `keeps` accepts. */
  where(keeps: (key: string, value: V) => boolean): Table<V>;
}

const WIDTH = 32;
/** Nodes built in one pass leave room, so that the first inserts do not split all of them. */
const FILL = 24;

type Node<V> = Leaf<V> | Inner<V>;
type Leaf<V> = { readonly keys: readonly string[]; readonly values: readonly V[] };
type Inner<V> = { readonly keys: readonly string[]; readonly children: readonly Node<V>[]; readonly size: number };

function inner<V>(children: readonly Node<V>[]): Inner<V> {
  let size = 0;
  for (const each of children) size += count(each);
  return { keys: children.map((each) => each.keys[0] ?? ""), children, size };
}

/** The node with one child replaced. This is the common case, so it does not look at the other children. */
function exchange<V>(node: Inner<V>, which: number, after: Node<V>): Inner<V> {
  const first = after.keys[0] ?? "";
  return {
    keys: node.keys[which] === first ? node.keys : node.keys.with(which, first),
    children: node.children.with(which, after),
    size: node.size - count(child(node, which)) + count(after),
  };
}

function count<V>(node: Node<V>): number {
  return "children" in node ? node.size : node.keys.length;
}

function child<V>(node: Inner<V>, index: number): Node<V> {
  return node.children[index] as Node<V>;
}

/** The index of a key, or -1 minus the index where it would be inserted. */
function search(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = keys[middle] as string;
    if (at === key) return middle;
    if (at < key) low = middle + 1;
    else high = middle;
  }
  return -1 - low;
}

/** The child that contains a key or would contain it. */
function place(keys: readonly string[], key: string): number {
  const at = search(keys, key);
  return at >= 0 ? at : Math.max(0, -2 - at);
}

function set<V>(node: Node<V>, key: string, value: V): [Node<V>] | [Node<V>, Node<V>] {
  if ("children" in node) {
    const which = place(node.keys, key);
    const parts = set(child(node, which), key, value);
    if (parts.length === 1) return [exchange(node, which, parts[0])];
    const children = node.children.toSpliced(which, 1, ...parts);
    if (children.length <= WIDTH) return [inner(children)];
    const half = children.length >>> 1;
    return [inner(children.slice(0, half)), inner(children.slice(half))];
  }
  const at = search(node.keys, key);
  if (at >= 0) return [{ keys: node.keys, values: node.values.with(at, value) }];
  const keys = node.keys.toSpliced(-1 - at, 0, key);
  const values = node.values.toSpliced(-1 - at, 0, value);
  if (keys.length <= WIDTH) return [{ keys, values }];
  // A leaf that grew at its end is split at its end, so that appended runs fill their leaves.
  const half = -1 - at === node.keys.length ? keys.length - 1 : keys.length >>> 1;
  return [
    { keys: keys.slice(0, half), values: values.slice(0, half) },
    { keys: keys.slice(half), values: values.slice(half) },
  ];
}

function remove<V>(node: Node<V>, key: string): Node<V> {
  if ("children" in node) {
    const which = place(node.keys, key);
    const before = child(node, which);
    const after = remove(before, key);
    if (after === before) return node;
    if (count(after) === 0) return inner(node.children.toSpliced(which, 1));
    const joined = which > 0 ? join(child(node, which - 1), after) : undefined;
    if (joined) return inner(node.children.toSpliced(which - 1, 2, joined));
    return exchange(node, which, after);
  }
  const at = search(node.keys, key);
  if (at < 0) return node;
  return { keys: node.keys.toSpliced(at, 1), values: node.values.toSpliced(at, 1) };
}

/** Joins two small neighbours, so that a shrinking map does not keep its depth. */
function join<V>(left: Node<V>, right: Node<V>): Node<V> | undefined {
  if (left.keys.length + right.keys.length > WIDTH / 2) return undefined;
  if ("children" in left && "children" in right) return inner([...left.children, ...right.children]);
  if ("values" in left && "values" in right) {
    return { keys: [...left.keys, ...right.keys], values: [...left.values, ...right.values] };
  }
  return undefined;
}

function* walk<V>(node: Node<V>, from: string): IterableIterator<readonly [string, V]> {
  if ("children" in node) {
    const first = place(node.keys, from);
    for (let index = first; index < node.children.length; index += 1) {
      yield* walk(child(node, index), index === first ? from : "");
    }
    return;
  }
  const at = search(node.keys, from);
  for (let index = at >= 0 ? at : -1 - at; index < node.keys.length; index += 1) {
    yield [node.keys[index] as string, node.values[index] as V];
  }
}

function* walkBack<V>(node: Node<V>, before: string | undefined): IterableIterator<readonly [string, V]> {
  if ("children" in node) {
    const last = before === undefined ? node.children.length - 1 : place(node.keys, before);
    for (let index = last; index >= 0; index -= 1) {
      yield* walkBack(child(node, index), index === last ? before : undefined);
    }
    return;
  }
  const at = before === undefined ? node.keys.length : search(node.keys, before);
  for (let index = (at >= 0 ? at : -1 - at) - 1; index >= 0; index -= 1) {
    yield [node.keys[index] as string, node.values[index] as V];
  }
}
