/**
 * The text of a filter expression and the position reached in it: spaces, names, operators, values, and the faults of
 * all of them. Used by the parser only; knows no field and no type.
 *
 * Goes by the codes of characters: a search whose filter is new waits for this, and regular expressions took half of its time.
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
const SPACE = /\s/;
/** From here on white space is rare: below it is that of ASCII. */
const FIRST_OTHER_SPACE = 0xa0;
const COMMA = 0x2c;
const DOT = 0x2e;
const AMPERSAND = 0x26;
const CLOSING_PARENTHESIS = 0x29;
const CLOSING_BRACKET = 0x5d;
const BAR = 0x7c;
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
    while (isSpace(this.text.charCodeAt(this.position))) this.position++;
  }

  /** Letters, digits, `_` and `-`; may be empty. */
  takeName(): string {
    const start = this.position;
    while (isOfName(this.text.charCodeAt(this.position))) this.position++;
    return this.text.slice(start, this.position);
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
    this.skipSpace();
    const operator = OPERATORS.find((known) => this.text.startsWith(known, this.position));
    if (operator === undefined) return '=';
    this.position += operator.length;
    return operator;
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
    const code = this.text.charCodeAt(at);
    if (code === COMMA || code === CLOSING_PARENTHESIS || code === CLOSING_BRACKET || isSpace(code)) return true;
    if (code !== AMPERSAND && code !== BAR && code !== DOT) return false;
    return this.text.charCodeAt(at + 1) === code;
  }
}

/** Whether `code`, of a UTF-16 unit, or NaN behind the last one, is white space as regular expressions have it. */
function isSpace(code: number): boolean {
  if (code < FIRST_OTHER_SPACE) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code >= FIRST_OTHER_SPACE && SPACE.test(String.fromCharCode(code));
}

/** A letter or a digit of ASCII, `_` or `-`. */
function isOfName(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d;
}

/** `text` in quotes for a message, shortened. */
export function quote(text: string): string {
  return `"${text.length > EXCERPT_CHARS_MAX ? `${text.slice(0, EXCERPT_CHARS_MAX)}...` : text}"`;
}
