/**
 * What an example of an operation consists of. Each is sent to a real server by a test, which compares the answer.
 */
import type { JsonObject, JsonValue } from '../schemas.js';

export interface OperationExample {
  /** Parameters of the path and the query, by name. */
  readonly parameters?: JsonObject;
  /** As JSON. */
  readonly body?: JsonValue;
  /** The body in another media type. */
  readonly text?: readonly [mediaType: string, body: string];
  /** As JSON; of an answer that is no JSON its text. */
  readonly answer?: JsonValue;
}

export type Examples = Readonly<Record<string, OperationExample>>;
