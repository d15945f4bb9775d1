/**
 * Checks a request body by a generated assertion, which ends at the first thing that is wrong: a mebibyte may hold half a million, and
 * to word them all would take half a second of the HTTP thread.
 */
import { RequestError, type RequestErrorCode } from '../http/request-error.js';
import { describeViolation, type Violation } from './describe-violation.js';

/** Whether `error` is the TypeGuardError of typia's assertions, of which a bundle may have a class of its own. */
const isViolation = (error: unknown): error is Violation =>
  error instanceof Error && 'method' in error && 'path' in error && 'expected' in error;

/** `body` as what `assertType` takes it for. Throws RequestError `code`, whose message calls the body `what`. */
export function checkedBody<Body>(
  assertType: (body: unknown) => Body,
  body: unknown,
  what: string,
  code: RequestErrorCode,
): Body {
  try {
    return assertType(body);
  } catch (error) {
    if (isViolation(error)) throw new RequestError(code, describeViolation(what, [error]));
    throw error;
  }
}
