/**
 * How many edits lead from a typed word to another, or to the nearest of its prefixes: insertions, deletions, substitutions and
 * transpositions, also of what has something between it (Lowrance & Wagner, "An Extension of the String-to-String Correction
 * Problem", JACM 1975).
 *
 * For a few words at a time: dictionaries of terms are walked with an automaton (terms/edit-walk.ts).
 */
import { TOKEN_CODE_POINTS_MAX } from '../../core/limits.js';

/** A row and a column more than words have, on either side of the border of zeros. */
const WIDTH = TOKEN_CODE_POINTS_MAX + 2;
const cells = new Uint8Array(WIDTH * WIDTH);
/** By column: the first column with the same code point, and by that one, the last row with it. */
const sameAs = new Uint8Array(WIDTH);
const lastRow = new Uint8Array(WIDTH);
const FAR = 0xff;

/**
 * Returns the distance in code points between `typed` and the first `length` of `word`, or with `isPrefix` the least one to any of its
 * prefixes; something above `most` when it is above that. Neither has more than TOKEN_CODE_POINTS_MAX.
 */
export function distanceToPrefix(
  typed: Int32Array,
  word: Int32Array,
  length: number,
  isPrefix: boolean,
  most: number,
): number {
  const rows = typed.length;
  // A longer prefix is farther away than one of that many.
  const columns = isPrefix ? Math.min(length, rows + most) : length;
  if (Math.abs(rows - columns) > most && (!isPrefix || columns < rows)) return FAR;
  fillBorders(rows, columns);
  findSame(word, columns);
  lastRow.fill(0, 0, columns + 1);
  for (let row = 1; row <= rows; row++) fillRow(row, typed[row - 1], word, columns);
  const end = (rows + 1) * WIDTH + 1;
  let least = cells[end + columns];
  for (let column = 0; isPrefix && column < columns; column++) least = Math.min(least, cells[end + column]);
  return least;
}

/** Cell (i + 1, j + 1) is the distance between the first i and the first j code points. */
function fillBorders(rows: number, columns: number): void {
  for (let row = 0; row <= rows; row++) {
    cells[(row + 1) * WIDTH] = FAR;
    cells[(row + 1) * WIDTH + 1] = row;
  }
  for (let column = 0; column <= columns; column++) {
    cells[column + 1] = FAR;
    cells[WIDTH + column + 1] = column;
  }
  cells[0] = FAR;
}

function findSame(word: Int32Array, columns: number): void {
  for (let column = 1; column <= columns; column++) {
    let first = 1;
    while (word[first - 1] !== word[column - 1]) first++;
    sameAs[column] = first;
  }
}

function fillRow(row: number, typed: number, word: Int32Array, columns: number): void {
  const above = row * WIDTH;
  const here = above + WIDTH;
  let lastColumn = 0;
  for (let column = 1; column <= columns; column++) {
    const swappedRow = lastRow[sameAs[column]];
    const swapped = cells[swappedRow * WIDTH + lastColumn] + (row - swappedRow - 1) + 1 + (column - lastColumn - 1);
    const isSame = word[column - 1] === typed;
    const replaced = cells[above + column] + (isSame ? 0 : 1);
    const shorter = Math.min(cells[here + column], cells[above + column + 1]) + 1;
    cells[here + column + 1] = Math.min(replaced, shorter, swapped);
    if (isSame) lastColumn = column;
  }
  for (let column = 1; column <= columns; column++) {
    if (word[column - 1] !== typed) continue;
    lastRow[sameAs[column]] = row;
    return;
  }
}
