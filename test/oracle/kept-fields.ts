/**
 * What is shown of a document of which only some fields are asked for.
 */

export interface KeptNames {
  /** null: all. */
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
}

/** Whether the top-level field `name` is shown. */
export function isKept(name: string, { include, exclude }: KeptNames): boolean {
  const isNamed = (names: readonly string[]): boolean => names.includes(name) || names.includes('*');
  return (include === null || isNamed(include)) && !isNamed(exclude);
}

/** `document` with the fields that are shown, in their order. */
export const keepFields = (document: object, names: KeptNames): object =>
  Object.fromEntries(Object.entries(document).filter(([name]) => isKept(name, names)));
