import { DelayHeap } from './delay-heap.js';

describe('DelayHeap', () => {
  it('gives keys in the order of their times, whatever the order they came in', () => {
    const heap = new DelayHeap<number>();
    const times = Array.from({ length: 500 }, (_, index) => (index * 7919) % 1009);
    for (const [key, at] of times.entries()) heap.schedule(key, at);
    const taken = heap.takeDue(2000).map((key) => times[key] as number);
    expect(taken).toEqual([...times].sort((a, b) => a - b));
    expect(heap.size).toBe(0);
  });

  it('keeps the earlier of two times of a key, and forgets dropped keys', () => {
    const heap = new DelayHeap<string>();
    heap.schedule('a', 10);
    heap.schedule('a', 5);
    heap.schedule('a', 20);
    heap.schedule('b', 7);
    heap.drop('b');
    expect(heap.next()).toBe(5);
    expect(heap.takeDue(100)).toEqual(['a']);
    expect(heap.next()).toBeUndefined();
  });

  it('does not grow with keys that are scheduled and dropped again and again', () => {
    const heap = new DelayHeap<number>();
    for (let round = 0; round < 10_000; round += 1) {
      heap.schedule(round % 10, 1_000_000 - round);
      heap.drop(round % 10);
    }
    expect(heap.size).toBe(0);
    expect((heap as unknown as { heap: unknown[] }).heap.length).toBeLessThan(100);
  });
});
