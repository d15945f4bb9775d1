/**
 * Why changes of schemas are refused, for people.
 */
import { EngineError } from '../../core/errors.js';
import { REGION_BYTES_MAX } from '../../memory/region-allocator.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { Misfits } from '../../segment/segment-rebuilder.js';

export const gone = (): EngineError => new EngineError('collection_not_found', 'the collection was deleted');

export const underWay = (name: string): EngineError =>
  new EngineError(
    'change_in_progress',
    `collection "${name}": a change of its schema is under way; see "change" of the collection`,
  );

/** Some documents do not fit. */
export function misfitError({ name }: CollectionSchema, { count, first }: Misfits): EngineError {
  const described = first.map(({ id, message }) => `document "${id}": ${message}`).join('; ');
  const more = count > first.length ? `; and ${count - first.length} more` : '';
  return new EngineError(
    'invalid_document',
    `collection "${name}": documents do not fit the changed schema, which is not in force: ${described}${more}`,
  );
}

/** A document takes more than `bytesMax` bytes in a segment, the most that there is room for. */
export function unfitError({ name }: CollectionSchema, bytesMax: number): EngineError {
  const why = `a document would take more than ${bytesMax} bytes of memory, which is the most`;
  if (bytesMax === REGION_BYTES_MAX)
    return new EngineError(
      'invalid_document',
      `collection "${name}": documents do not fit the changed schema, which is not in force: ${why}`,
    );
  return new EngineError('memory_full', `collection "${name}": ${why} beside so many reader and HTTP threads`);
}

/** Of a change that is given up, which the log does not say. */
export const unknownOutcome = (failure: EngineError): EngineError =>
  new EngineError('unknown_outcome', `${failure.message}; the change is not done, and a restart may do it`, {
    cause: failure,
  });

/** Whether it is the documents that are in the way, and not this process. */
export const isMisfit = ({ code }: EngineError): boolean => code === 'invalid_document' || code === 'invalid_schema';
