/**
 * The integers of stored types, with the range that is checked when they are read. No code.
 */
import type { tags } from 'typia';

export type U32 = number & tags.Type<'uint32'>;
/** Up to the largest that a number holds exactly. */
export type U53 = number & tags.Type<'uint64'> & tags.Maximum<9007199254740991>;
/** Unix time in milliseconds. */
export type Time = U53;
