/**
 * The definition of a history that keeps the promises, by trying everything: each choice of the writes whose outcome is unknown,
 * each order, and for each read the shortest beginning of it that will do. The oracle of history-checker.ts, for tiny histories.
 */
import { byKey, type History, type KeyHistory, type Read, type Write } from './campaign/history.js';

/** Every selection of `items`, in every order. */
function* arrangements<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  yield [];
  for (const [index, first] of items.entries()) {
    const others = items.filter((_, each) => each !== index);
    for (const rest of arrangements(others)) yield [first, ...rest];
  }
}

const isDone = ({ outcome }: Write): boolean => outcome === 'acknowledged';

function keepsRealTime(order: readonly Write[]): boolean {
  return order.every((later, index) =>
    order.slice(index + 1).every((next) => !(isDone(next) && next.responded < later.invoked)),
  );
}

/** How many writes of `order` each read saw: the fewest that will do, which leave the reads after it the most room. */
function explains(order: readonly Write[], { initial, reads }: KeyHistory): boolean {
  const placed: { readonly read: Read; readonly count: number }[] = [];
  for (const read of reads.toSorted((a, b) => a.invoked - b.invoked)) {
    const atLeast = Math.max(
      0,
      ...order.flatMap((write, index) => (isDone(write) && write.responded < read.invoked ? [index + 1] : [])),
      ...placed.flatMap(({ read: other, count }) =>
        other.node === read.node && other.responded < read.invoked ? [count] : [],
      ),
    );
    const tooEarly = order.findIndex((write) => write.invoked > read.responded);
    const atMost = tooEarly < 0 ? order.length : tooEarly;
    let count = atLeast;
    const valueAt = (position: number) => (position === 0 ? initial : order[position - 1]?.value);
    while (count <= atMost && valueAt(count) !== read.value) count++;
    if (count > atMost) return false;
    placed.push({ read, count });
  }
  return true;
}

/** Whether there is an order of the writes that explains everything. */
export function isRightByTrying(history: History): boolean {
  return byKey(history).every((keyHistory) => {
    const writes = keyHistory.writes.filter(({ outcome }) => outcome !== 'refused');
    for (const order of arrangements(writes)) {
      const isWhole = writes.every((write) => !isDone(write) || order.includes(write));
      if (isWhole && keepsRealTime(order) && explains(order, keyHistory)) return true;
    }
    return false;
  });
}
