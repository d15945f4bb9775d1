/**
 * What verification finds, in the form in which it is told: plain data.
 */
import type { EngineError } from '../core/errors.js';
import { DamageError } from '../storage/files/damage.js';

/**
 * damage: bytes that are not what was written. torn-tail: an end of the log that a start would cut off. leftover: a file
 * that nothing needs.
 */
export type VerifyProblemKind = 'damage' | 'torn-tail' | 'leftover';

export interface VerifyProblem {
  readonly kind: VerifyProblemKind;
  /** Path of the file. */
  readonly file: string;
  /** Byte of the file. */
  readonly offset: number;
  readonly expected: string;
  readonly got: string;
  /** All of it in one line. */
  readonly message: string;
}

export type HearProblem = (problem: VerifyProblem) => void;

/** The problem that `error` tells of; `path` names the file where the error does not. */
export function problemOf(error: EngineError, path: string): VerifyProblem {
  const { message } = error;
  if (error instanceof DamageError) {
    const { file, offset, expected, got } = error;
    return { kind: 'damage', file, offset, expected, got, message };
  }
  return { kind: 'damage', file: path, offset: 0, expected: 'a file that can be read', got: message, message };
}

/** A file at `path` that nothing needs, and why. */
export function leftover(path: string, why: string): VerifyProblem {
  const message = `${path}: ${why}`;
  return { kind: 'leftover', file: path, offset: 0, expected: 'no such file', got: why, message };
}
