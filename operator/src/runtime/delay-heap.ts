interface Entry<K> {
  readonly key: K;
  readonly at: number;
}

/** Keys ordered by time; one time a key. Replaced and dropped entries stay in the heap and are skipped when they surface. */
export class DelayHeap<K> {
  private heap: Entry<K>[] = [];
  private readonly current = new Map<K, Entry<K>>();

  get size(): number {
    return this.current.size;
  }

  has(key: K): boolean {
    return this.current.has(key);
  }

  /** Wakes the key at this time, or earlier when it was due earlier already. */
  schedule(key: K, at: number): void {
    const known = this.current.get(key);
    if (known && known.at <= at) return;
    const entry = { key, at };
    this.current.set(key, entry);
    this.heap.push(entry);
    this.rise(this.heap.length - 1);
  }

  drop(key: K): void {
    this.current.delete(key);
    if (this.heap.length > 64 && this.heap.length > 4 * this.current.size) this.compact();
  }

  /** Time of the first key, if any. */
  next(): number | undefined {
    this.skipDropped();
    return this.heap[0]?.at;
  }

  /** Takes every key that is due at this time. */
  takeDue(now: number): K[] {
    const due: K[] = [];
    for (this.skipDropped(); this.heap[0] && this.heap[0].at <= now; this.skipDropped()) {
      const { key } = this.pop();
      this.current.delete(key);
      due.push(key);
    }
    return due;
  }

  private skipDropped(): void {
    while (this.heap[0] && this.current.get(this.heap[0].key) !== this.heap[0]) this.pop();
  }

  private compact(): void {
    this.heap = [...this.current.values()].sort((a, b) => a.at - b.at);
  }

  private pop(): Entry<K> {
    const first = this.heap[0] as Entry<K>;
    const last = this.heap.pop() as Entry<K>;
    if (this.heap.length > 0) {
      this.heap[0] = last;
      this.sink(0);
    }
    return first;
  }

  private rise(start: number): void {
    for (let index = start; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!this.swapIfLater(parent, index)) return;
      index = parent;
    }
  }

  private sink(start: number): void {
    for (let index = start; ; ) {
      const left = 2 * index + 1;
      if (left >= this.heap.length) return;
      const right = left + 1;
      const child = right < this.heap.length && this.at(right) < this.at(left) ? right : left;
      if (!this.swapIfLater(index, child)) return;
      index = child;
    }
  }

  private at(index: number): number {
    return (this.heap[index] as Entry<K>).at;
  }

  private swapIfLater(parent: number, child: number): boolean {
    if (this.at(parent) <= this.at(child)) return false;
    const entry = this.heap[parent] as Entry<K>;
    this.heap[parent] = this.heap[child] as Entry<K>;
    this.heap[child] = entry;
    return true;
  }
}
