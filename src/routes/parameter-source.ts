/**
 * Where the parameters of a search come from: a query string (query-parameters.ts), a body (body-parameters.ts), or either with what a
 * key fixes (scoped-reads.ts).
 */
import type { SearchParameters } from '../api/types/parameters.js';

export type ParameterName = keyof SearchParameters;

/** Where parameters are given. All methods throw `invalid_query` for a value of another kind. */
export interface SearchParameterSource {
  /** What messages call it, a thing in it, and what stands before the name of a parameter. */
  readonly whole: string;
  readonly what: string;
  readonly prefix: string;
  /** What `name` is read from, and a message about its value names: of several sources the one that has it. */
  origin(name: ParameterName): SearchParameterSource;
  /** null: not given. */
  text(name: ParameterName): string | null;
  /** Several texts, with commas between; null: not given. */
  list(name: ParameterName): string | null;
  /** Whole and not negative, and not bounded. */
  integer(name: ParameterName, byDefault: number): number;
  boolean<Default>(name: ParameterName, byDefault: Default): boolean | Default;
}
