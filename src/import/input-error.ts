/**
 * What is wrong with documents to import, in words for the person who gave them. Thrown by all that reads them here; the import
 * command and the page show it.
 */
export class InputError extends Error {
  /** The message without the hint. */
  readonly what: string;

  /** `hint`: which option of the command helps, with the space or mark that joins it to `what`. */
  constructor(what: string, hint = '') {
    super(`${what}${hint}`);
    this.name = 'InputError';
    this.what = what;
  }
}
