/**
 * The text of a filter expression and the position reached in it: spaces, names, operators, values, and the faults of
 * all of them. Used by the parser only; knows no field and no type.
 */
import { EngineError } from '../../core/errors.js';

/** A value as written, quotes and escapes resolved. `position` is that of its first character, for messages. */
export interface Literal {
  readonly text: string;
  readonly position: number;
}

export type FilterOperator = '=' | '!=' | '>=' | '<=' | '>' | '<';

/** Longer operators first: each is a prefix of none after it. */
const OPERATORS: readonly FilterOperator[] = ['!=', '>=', '<=', '=', '>', '<'];
const SPACE = /\s*/y;
const NAME = /[A-Za-z0-9_-]*/y;
/** What is shown of the text where something else was expected. */
const EXCERPT = /\s+|[A-Za-z0-9_.-]+|.|$/suy;
const EXCERPT_CHARS_MAX = 32;

export class FilterScanner {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  skipSpace(): void {
    this.#take(SPACE);
  }

  /** Letters, digits, `_` and `-`; may be empty. */
  takeName(): string {
    return this.#take(NAME);
  }

  /** Skips spaces, then takes `symbol` if the text goes on with it. */
  takeSymbol(symbol: string): boolean {
    this.skipSpace();
    if (!this.text.startsWith(symbol, this.position)) return false;
    this.position += symbol.length;
    return true;
  }

  /** Skips spaces, then takes an operator; `=` when there is none. */
  takeOperator(): FilterOperator {
    for (const operator of OPERATORS) if (this.takeSymbol(operator)) return operator;
    return '=';
  }

  /** Skips spaces, then takes a quoted or a bare value; `wanted` says what of, for the message. */
  takeLiteral(wanted: string): Literal {
    this.skipSpace();
    const position = this.position;
    const first = this.text[position];
    if (first === '"' || first === "'") return { text: this.#takeQuoted(first), position };
    let end = position;
    while (!this.#endsBare(end)) end++;
    if (end === position) throw this.expected(wanted);
    this.position = end;
    return { text: this.text.slice(position, end), position };
  }

  /** The error that `wanted` was expected where the scanner stands. */
  expected(wanted: string): EngineError {
    this.skipSpace();
    const at = this.position;
    EXCERPT.lastIndex = at;
    const found = EXCERPT.exec(this.text)?.[0] ?? '';
    return this.fault(`expected ${wanted}, got ${found === '' ? 'the end' : quote(found)}`, at);
  }

  /** An error about the text at `position`, an index into it; the message counts characters from 0. */
  fault(what: string, position: number): EngineError {
    let characters = 0;
    for (const _ of this.text.slice(0, position)) characters++;
    return new EngineError('invalid_query', `filter: ${what} (at position ${characters})`);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const taken = pattern.exec(this.text)?.[0] ?? '';
    this.position += taken.length;
    return taken;
  }

  /** A backslash makes the character after it an ordinary one. */
  #takeQuoted(mark: string): string {
    const start = this.position;
    let value = '';
    for (let at = start + 1; at < this.text.length; at++) {
      const character = this.text[at];
      if (character === mark) {
        this.position = at + 1;
        return value;
      }
      if (character === '\\' && at + 1 < this.text.length) at++;
      value += this.text[at];
    }
    throw this.fault(`expected a closing ${mark} for the quote`, start);
  }

  #endsBare(at: number): boolean {
    if (at >= this.text.length) return true;
    const character = this.text[at];
    if (character === ',' || character === ')' || character === ']' || /\s/.test(character)) return true;
    if (character !== '&' && character !== '|' && character !== '.') return false;
    return this.text[at + 1] === character;
  }
}

/** `text` in quotes for a message, shortened. */
export function quote(text: string): string {
  return `"${text.length > EXCERPT_CHARS_MAX ? `${text.slice(0, EXCERPT_CHARS_MAX)}...` : text}"`;
}
