/**
 * What a scoped search key says (keys/scoped-key.ts). Its validator lets no unknown word pass: a misspelt restriction would be none.
 */
import type { tags } from 'typia';
import type { SearchParameters } from './parameters.js';

/** As in the body of a search; null: as if it were not given. */
type FixedValue = string | number | boolean | null | readonly string[];

export interface KeyClaims {
  /** Names of collections and aliases, as requests give them; absent: all. */
  readonly collections?: readonly (string & tags.MinLength<1>)[] & tags.MinItems<1>;
  /** A filter that every document passes that is shown or counted; absent: none. */
  readonly filter?: string & tags.Pattern<'\\S'>;
  /** What stands in the place of a request's own parameters; absent: nothing. */
  readonly parameters?: { readonly [Name in keyof SearchParameters]?: FixedValue };
  /** Unix seconds from which on the key is refused; absent: never. */
  readonly expires?: number & tags.Minimum<0>;
  /** The key epoch of the server that takes it. Default: 0. */
  readonly epoch?: number & tags.Minimum<0>;
}
