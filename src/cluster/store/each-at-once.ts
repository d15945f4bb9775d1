/**
 * Runs an action on each of many things, a few at once, so that neither the memory nor the connection has more than that.
 */

/**
 * Calls `act` for each of `items`, at most `atOnce` at a time, in their order. After the first error none is begun any more; it
 * is thrown when those under way have ended.
 */
export async function eachAtOnce<Item>(
  items: Iterable<Item>,
  atOnce: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = rest.next();
      if (next.done === true) return;
      try {
        await act(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) throw failures[0];
}
