/**
 * A predicate for assert.throws() and assert.rejects(): an engine error of that code whose message holds all the texts.
 */
import { EngineError, type EngineErrorCode } from '../../engine/core/errors.js';

export const hasCode =
  (code: EngineErrorCode, ...texts: readonly string[]) =>
  (error: unknown): boolean =>
    error instanceof EngineError && error.code === code && texts.every((text) => error.message.includes(text));
