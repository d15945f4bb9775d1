/**
 * What the cells of a table look like: the type of each column whose cells all look like one.
 */
import { INTEGER, NUMBER } from './csv-lines.js';
import type { FieldType } from './declared-field.js';

/** All integers that are no longer fit into 64 bits. */
const INT_CHARS_MAX = 18;

export class TypeGuess {
  /** null: of several types, or of none that is looked for here. */
  readonly #types = new Map<string, FieldType | null>();

  /** Takes a document whose values are strings, as the CSV reader makes it of a record without types. */
  add(line: string): void {
    for (const [name, value] of Object.entries(JSON.parse(line) as Record<string, string | string[]>)) {
      for (const cell of Array.isArray(value) ? value : [value])
        this.#types.set(name, widened(this.#types.get(name), guessType(cell)));
    }
  }

  /** The types of what was added, by field. */
  get types(): Map<string, FieldType> {
    return new Map([...this.#types].flatMap(([name, type]) => (type === null ? [] : [[name, type] as const])));
  }
}

/** The types of a sample. `lines`: documents of strings. */
export function guessTypes(lines: readonly string[]): Map<string, FieldType> {
  const guess = new TypeGuess();
  for (const line of lines) guess.add(line);
  return guess.types;
}

function guessType(cell: string): FieldType | null {
  if (INTEGER.test(cell)) return cell.length <= INT_CHARS_MAX ? 'int' : null;
  if (NUMBER.test(cell)) return 'float';
  return /^(true|false)$/i.test(cell) ? 'bool' : null;
}

function widened(known: FieldType | null | undefined, next: FieldType | null): FieldType | null {
  if (known === undefined || known === next) return next;
  const areNumbers = (known === 'int' || known === 'float') && (next === 'int' || next === 'float');
  return areNumbers ? 'float' : null;
}
