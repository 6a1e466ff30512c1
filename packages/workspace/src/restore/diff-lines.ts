/**
 * Finds a shortest list of edits from one sequence of lines to another.
 *
 * Three steps, in git's order and with its tie-breaks, so that a merge built on these edits aligns repeated lines
 * (braces, blank lines) as git does:
 *
 *   1. Lines that do not occur on the other side are certainly changed; they are set aside.
 *   2. Of the rest, Myers' O(ND) search from both ends finds a point on a shortest path; the halves
 *      on both sides of it are solved in the same way. Memory is linear. Past `patience` edits in
 *      one search the furthest point reached is taken instead: still a correct edit, not always the
 *      shortest, and a complete rewrite of a huge file ends. When all searches together have made
 *      `EFFORT` steps, the rest is searched with little patience: then the time is linear too.
 *   3. An edit between repeated lines could be written in several places. Each is moved down as far
 *      as it goes, unless further up it meets an edit on the other side.
 */
export function diffLines(a: Int32Array, b: Int32Array): Edit[] {
  const sideA: Side = { lines: a, changed: new Uint8Array(a.length + 1) };
  const sideB: Side = { lines: b, changed: new Uint8Array(b.length + 1) };
  const [keptA, keptB] = setAside(sideA, sideB);
  new Search(sideA, keptA, sideB, keptB).run();
  settle(sideA, sideB);
  settle(sideB, sideA);
  return collect(sideA, sideB);
}

/** Lines `aStart..aEnd` became lines `bStart..bEnd`; ends are exclusive, either range may be empty. */
export interface Edit {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

interface Side {
  readonly lines: Int32Array;
  /** One more than there are lines, so that the end reads as unchanged. */
  readonly changed: Uint8Array;
}

/** Marks lines that only one side has; returns the remaining positions between the common ends. */
function setAside(a: Side, b: Side): [Int32Array, Int32Array] {
  const shorter = Math.min(a.lines.length, b.lines.length);
  let start = 0;
  while (start < shorter && a.lines[start] === b.lines[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && a.lines[a.lines.length - 1 - tail] === b.lines[b.lines.length - 1 - tail]) tail += 1;
  const inA = new Set(a.lines.subarray(start, a.lines.length - tail));
  const inB = new Set(b.lines.subarray(start, b.lines.length - tail));
  const keep = (side: Side, other: Set<number>): Int32Array => {
    const lines: number[] = [];
    for (let index = start; index < side.lines.length - tail; index += 1) {
      if (other.has(side.lines[index] as number)) lines.push(index);
      else side.changed[index] = 1;
    }
    return Int32Array.from(lines);
  };
  return [keep(a, inB), keep(b, inA)];
}

/** In steps, not in time: two versions always have the same edits. It takes about a tenth of a second. */
const EFFORT = 10_000_000;
const LEAST_PATIENCE = 16;

/** Step 2. Coordinates are positions in the kept lines; a diagonal is x - y. */
class Search {
  readonly #a: Side;
  readonly #b: Side;
  readonly #keptA: Int32Array;
  readonly #keptB: Int32Array;
  readonly #x: Int32Array;
  readonly #y: Int32Array;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  readonly #origin: number;
  #patience: number;
  #steps = 0;

  constructor(a: Side, keptA: Int32Array, b: Side, keptB: Int32Array) {
    this.#a = a;
    this.#b = b;
    this.#keptA = keptA;
    this.#keptB = keptB;
    this.#x = keptA.map((index) => a.lines[index] as number);
    this.#y = keptB.map((index) => b.lines[index] as number);
    const diagonals = keptA.length + keptB.length + 3;
    this.#forward = new Int32Array(diagonals);
    this.#backward = new Int32Array(diagonals);
    this.#origin = keptB.length + 1;
    this.#patience = Math.max(256, Math.floor(Math.sqrt(diagonals)));
  }

  run(): void {
    const pending: Box[] = [{ left: 0, right: this.#x.length, top: 0, bottom: this.#y.length }];
    for (let box = pending.pop(); box !== undefined; box = pending.pop()) {
      const inner = this.#trim(box);
      if (inner.left === inner.right) {
        for (let y = inner.top; y < inner.bottom; y += 1) this.#b.changed[this.#keptB[y] as number] = 1;
      } else if (inner.top === inner.bottom) {
        for (let x = inner.left; x < inner.right; x += 1) this.#a.changed[this.#keptA[x] as number] = 1;
      } else {
        if (this.#steps > EFFORT) this.#patience = LEAST_PATIENCE;
        const [x, y] = this.#pointOnPath(inner);
        pending.push({ left: x, right: inner.right, top: y, bottom: inner.bottom });
        pending.push({ left: inner.left, right: x, top: inner.top, bottom: y });
      }
    }
  }

  #trim(box: Box): Box {
    let { left, right, top, bottom } = box;
    while (left < right && top < bottom && this.#x[left] === this.#y[top]) {
      left += 1;
      top += 1;
    }
    while (left < right && top < bottom && this.#x[right - 1] === this.#y[bottom - 1]) {
      right -= 1;
      bottom -= 1;
    }
    return { left, right, top, bottom };
  }

  /** Grows the furthest points from both corners until two of them meet on a diagonal. */
  #pointOnPath({ left, right, top, bottom }: Box): [number, number] {
    const [xs, ys, forward, backward, origin] = [this.#x, this.#y, this.#forward, this.#backward, this.#origin];
    const lowest = left - bottom;
    const highest = right - top;
    const start = left - top;
    const end = right - bottom;
    const odd = ((start - end) & 1) !== 0;
    let [forwardLow, forwardHigh, backwardLow, backwardHigh] = [start, start, end, end];
    forward[origin + start] = left;
    backward[origin + end] = right;
    for (let cost = 1; ; cost += 1) {
      this.#steps += 2 * cost;
      // A diagonal outside the box gets a value that loses every comparison.
      if (forwardLow > lowest) forward[origin + --forwardLow - 1] = -1;
      else forwardLow += 1;
      if (forwardHigh < highest) forward[origin + ++forwardHigh + 1] = -1;
      else forwardHigh -= 1;
      for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
        const below = forward[origin + diagonal - 1] as number;
        const above = forward[origin + diagonal + 1] as number;
        let x = below >= above ? below + 1 : above;
        while (x < right && x - diagonal < bottom && xs[x] === ys[x - diagonal]) x += 1;
        forward[origin + diagonal] = x;
        if (odd && diagonal >= backwardLow && diagonal <= backwardHigh && (backward[origin + diagonal] as number) <= x)
          return [x, x - diagonal];
      }
      if (backwardLow > lowest) backward[origin + --backwardLow - 1] = 0x7fffffff;
      else backwardLow += 1;
      if (backwardHigh < highest) backward[origin + ++backwardHigh + 1] = 0x7fffffff;
      else backwardHigh -= 1;
      for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
        const below = backward[origin + diagonal - 1] as number;
        const above = backward[origin + diagonal + 1] as number;
        let x = below < above ? below : above - 1;
        while (x > left && x - diagonal > top && xs[x - 1] === ys[x - diagonal - 1]) x -= 1;
        backward[origin + diagonal] = x;
        if (!odd && diagonal >= forwardLow && diagonal <= forwardHigh && x <= (forward[origin + diagonal] as number))
          return [x, x - diagonal];
      }
      if (cost >= this.#patience)
        return this.#furthest({ left, right, top, bottom }, forwardLow, forwardHigh, backwardLow, backwardHigh);
    }
  }

  #furthest(box: Box, forwardLow: number, forwardHigh: number, backwardLow: number, backwardHigh: number) {
    let bestForward: [number, number] = [box.left, box.top];
    for (let diagonal = forwardLow; diagonal <= forwardHigh; diagonal += 2) {
      const x = Math.min(this.#forward[this.#origin + diagonal] as number, box.right, box.bottom + diagonal);
      if (x + x - diagonal > bestForward[0] + bestForward[1]) bestForward = [x, x - diagonal];
    }
    let bestBackward: [number, number] = [box.right, box.bottom];
    for (let diagonal = backwardLow; diagonal <= backwardHigh; diagonal += 2) {
      const x = Math.max(this.#backward[this.#origin + diagonal] as number, box.left, box.top + diagonal);
      if (x + x - diagonal < bestBackward[0] + bestBackward[1]) bestBackward = [x, x - diagonal];
    }
    const walked = bestForward[0] + bestForward[1] - box.left - box.top;
    const walkedBack = box.right + box.bottom - bestBackward[0] - bestBackward[1];
    return walked >= walkedBack ? bestForward : bestBackward;
  }
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Step 3. Unchanged lines pair up in order, so the groups of changed lines between them (also empty ones) pair up as
 * well: the n-th group of one side corresponds to the n-th of the other.
 */
function settle(side: Side, other: Side): void {
  const group = firstGroup(side);
  const across = firstGroup(other);
  for (;;) {
    if (group.end > group.start) {
      let highest: number;
      let met: boolean;
      let size: number;
      // Sliding may join neighbours, and the larger group may slide further.
      do {
        size = group.end - group.start;
        met = false;
        while (slideUp(side, group)) previousGroup(other, across);
        highest = group.end;
        if (across.end > across.start) met = true;
        while (slideDown(side, group)) {
          nextGroup(other, across);
          if (across.end > across.start) met = true;
        }
      } while (size !== group.end - group.start);
      if (met && group.end !== highest) {
        while (across.end === across.start && slideUp(side, group)) previousGroup(other, across);
      }
    }
    if (!nextGroup(side, group)) return;
    nextGroup(other, across);
  }
}

interface Group {
  start: number;
  end: number;
}

function firstGroup(side: Side): Group {
  const group = { start: 0, end: 0 };
  while (side.changed[group.end]) group.end += 1;
  return group;
}

function nextGroup(side: Side, group: Group): boolean {
  if (group.end === side.lines.length) return false;
  group.start = group.end + 1;
  group.end = group.start;
  while (side.changed[group.end]) group.end += 1;
  return true;
}

function previousGroup(side: Side, group: Group): void {
  group.end = group.start - 1;
  group.start = group.end;
  while (group.start > 0 && side.changed[group.start - 1]) group.start -= 1;
}

function slideUp({ lines, changed }: Side, group: Group): boolean {
  if (group.start === 0 || lines[group.start - 1] !== lines[group.end - 1]) return false;
  group.start -= 1;
  group.end -= 1;
  changed[group.start] = 1;
  changed[group.end] = 0;
  while (group.start > 0 && changed[group.start - 1]) group.start -= 1;
  return true;
}

function slideDown({ lines, changed }: Side, group: Group): boolean {
  if (group.end === lines.length || lines[group.start] !== lines[group.end]) return false;
  changed[group.start] = 0;
  changed[group.end] = 1;
  group.start += 1;
  group.end += 1;
  while (changed[group.end]) group.end += 1;
  return true;
}

function collect(a: Side, b: Side): Edit[] {
  const edits: Edit[] = [];
  let x = 0;
  let y = 0;
  while (x < a.lines.length || y < b.lines.length) {
    if (!a.changed[x] && !b.changed[y]) {
      x += 1;
      y += 1;
      continue;
    }
    const [aStart, bStart] = [x, y];
    while (a.changed[x]) x += 1;
    while (b.changed[y]) y += 1;
    edits.push({ aStart, aEnd: x, bStart, bEnd: y });
  }
  return edits;
}
