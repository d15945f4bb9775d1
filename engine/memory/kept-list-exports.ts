/**
 * The kernels that make what is kept of lists, and read it: their types, as in kernel-exports.ts.
 */
/** kernels/list-union.ts, union-begins.ts, union-weights.ts */
export interface ListUnionKernels {
  sumFrequencies(entries: number, low: number, high: number, fieldMap: number): number;
  beginUnion(union: number): void;
  addToUnion(union: number, low: number, high: number): void;
  noteSpecial(union: number, seen: number, special: number): number;
  setApart(union: number, above: number, special: number, part: number): void;
  writeSpecial(special: number, parts: number, count: number, entry: number, list: number): void;
  fillUnion(union: number, seen: number): void;
  unionListBytes(union: number, isSigned: number): number;
  writeUnion(union: number, kind: number, isSigned: number, entry: number, list: number): void;
  /** 1: all lists tell; 0: some do not. */
  noteBegins(union: number, low: number, high: number): number;
}

/** kernels/gainers.ts */
export interface GainerKernels {
  /** 1: all lists tell; 0: some do not. */
  noteGainers(state: number, low: number, high: number, completed: number): number;
  listGainers(state: number, isUnsure: number, out: number): number;
  judgeWindow(window: number, table: number): number;
}

/** kernels/losses.ts */
export interface LossKernels {
  countLosses(
    segment: number,
    entry: number,
    live: number,
    chunks: number,
    whole: number,
    counts: number,
    out: number,
  ): number;
}

/** kernels/list-outline.ts */
export interface ListOutlineKernels {
  writeOutline(segment: number, entry: number, chunks: number, whole: number, counts: number, out: number): number;
  placeOutline(segment: number, field: number, outline: number, bytes: number, entry: number): void;
}
