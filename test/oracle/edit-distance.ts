/**
 * Unrestricted Damerau-Levenshtein distance: insertions, deletions, substitutions and transpositions, where characters
 * may be inserted or deleted between the two that swap.
 *
 * R. Lowrance and R. A. Wagner, "An Extension of the String-to-String Correction Problem", JACM 22(2), 1975: the full
 * dynamic programme, nothing pruned.
 */

/** All distances between `a` and each prefix of `b`: element j is the distance to the first j code points of `b`. */
export function distancesToPrefixes(a: string, b: string): number[] {
  const from = [...a];
  const to = [...b];
  const infinity = from.length + to.length;
  const width = to.length + 2;
  const cell = new Array<number>((from.length + 2) * width).fill(0);
  const at = (i: number, j: number): number => cell[i * width + j] ?? infinity;
  const put = (i: number, j: number, value: number): void => {
    cell[i * width + j] = value;
  };
  put(0, 0, infinity);
  for (let i = 0; i <= from.length; i++) {
    put(i + 1, 0, infinity);
    put(i + 1, 1, i);
  }
  for (let j = 0; j <= to.length; j++) {
    put(0, j + 1, infinity);
    put(1, j + 1, j);
  }
  const lastRowOf = new Map<string, number>();
  for (let i = 1; i <= from.length; i++) {
    let lastColumn = 0;
    for (let j = 1; j <= to.length; j++) {
      const row = lastRowOf.get(to[j - 1] ?? '') ?? 0;
      const column = lastColumn;
      const same = from[i - 1] === to[j - 1];
      if (same) lastColumn = j;
      const substitute = at(i, j) + (same ? 0 : 1);
      const insert = at(i + 1, j) + 1;
      const remove = at(i, j + 1) + 1;
      const transpose = at(row, column) + (i - row - 1) + 1 + (j - column - 1);
      put(i + 1, j + 1, Math.min(substitute, insert, remove, transpose));
    }
    lastRowOf.set(from[i - 1] ?? '', i);
  }
  return Array.from({ length: to.length + 1 }, (_, j) => at(from.length + 1, j + 1));
}

/** The distance between two whole strings, in code points. */
export function editDistance(a: string, b: string): number {
  return distancesToPrefixes(a, b).at(-1) ?? 0;
}

/** The fewest edits that turn `a` into some prefix of `b`. */
export function prefixDistance(a: string, b: string): number {
  return Math.min(...distancesToPrefixes(a, b));
}
