/**
 * Options of commands that may be given once: of two, commander takes the last without a word, and more would be shown than was asked for.
 */
import { InvalidArgumentError } from 'commander';

/** Parses by `parse` an option that is given once; `advice`: what to do instead. */
export function once<Value>(parse: (raw: string) => Value, advice = ''): (raw: string, before?: Value) => Value {
  return (raw, before) => {
    if (before === undefined) return parse(raw);
    throw new InvalidArgumentError(`Expected it once, got it twice${advice}.`);
  };
}

/** Of filters. */
export const JOIN_FILTERS = ': join filters with &&, as in a && b';

export const asGiven = (raw: string): string => raw;
