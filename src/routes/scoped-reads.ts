/**
 * Enforces the scope of a key on reads: their collection, their filter, their parameters. What cannot be restricted exactly is refused.
 *
 * Called by every route that a scoped key may use; `isScoped` of an endpoint says that it does (http/router.ts).
 */
import type { SearchRequest } from '../../engine/index.js';
import { RequestError } from '../http/request-error.js';
import type { KeyScope } from '../keys/key-scope.js';
import { BodyParameters } from './body-parameters.js';
import type { ParameterName, SearchParameterSource } from './parameter-source.js';

const forbidden = (message: string): RequestError => new RequestError('forbidden', `a scoped key: ${message}`);

/** Throws `forbidden` when `scope` does not reach `collection`, whether there is one of that name or not. */
export function checkCollection(scope: KeyScope | null, collection: string): void {
  const collections = scope?.collections ?? null;
  if (collections === null || collections.has(collection)) return;
  throw forbidden('expected one of the collections that it is for, got another name');
}

/** Throws `forbidden` when `scope` restricts anything but collections: `what` would tell of more. */
export function checkUnfiltered(scope: KeyScope | null, what: string): void {
  if (scope === null) return;
  if (scope.filter !== null || Object.keys(scope.parameters).length > 0)
    throw forbidden(`${what} cannot be restricted as this key demands`);
}

/** The parameters that a key fixes. */
export const parametersOfKey = (parameters: KeyScope['parameters']): BodyParameters =>
  new BodyParameters(parameters, '', undefined, 'parameters of the key');

/** The parameters of `source`, those that `scope` fixes in their place. */
export function scopedParameters(scope: KeyScope | null, source: SearchParameterSource): SearchParameterSource {
  if (scope === null) return source;
  const fixed = parametersOfKey(scope.parameters);
  const origin = (name: ParameterName): SearchParameterSource => (name in scope.parameters ? fixed : source);
  const { whole, what, prefix } = source;
  return {
    ...{ whole, what, prefix, origin },
    text: (name) => origin(name).text(name),
    list: (name) => origin(name).list(name),
    integer: (name, byDefault) => origin(name).integer(name, byDefault),
    boolean: (name, byDefault) => origin(name).boolean(name, byDefault),
  };
}

/** What `scope` fixes `name`, a list or a text, to, or `given` when it does not. */
export function scopedList(scope: KeyScope | null, name: ParameterName, given: string | null): string | null {
  if (scope === null || !(name in scope.parameters)) return given;
  return parametersOfKey(scope.parameters).list(name);
}

/**
 * Throws `forbidden` when `request` asks for what would tell of documents or fields that `scope` hides: explanations, which count terms
 * in all documents, and fields that are named by anything but the key where it hides some.
 */
export function checkAsked(scope: KeyScope | null, request: SearchRequest): void {
  if (scope === null) return;
  const { filter, parameters, hidesFields } = scope;
  if ((filter !== null || hidesFields) && (request.explain || request.explainId !== null))
    throw forbidden('explain and explain_id would tell of what it hides');
  if (!hidesFields) return;
  const naming = {
    ...{ filter: request.filter, sort: request.sort, facet: request.facet, facet_query: request.facetQuery },
    ...{ distinct: request.distinct, highlight: request.highlight },
  };
  for (const [name, value] of Object.entries(naming)) if (value !== null) checkNamed(parameters, name);
  if (request.queryBy === null || !('query_by' in parameters)) checkNamed({}, 'query_by');
}

/** Throws `forbidden` when a key that hides fields lets an export of `filter` look at them. */
export function checkExportFilter(scope: KeyScope | null, filter: string | null): void {
  if (scope?.hidesFields === true && filter !== null) checkNamed(scope.parameters, 'filter');
}

function checkNamed(parameters: KeyScope['parameters'], name: string): void {
  if (name in parameters) return;
  throw forbidden(`it hides fields, and "${name}" could tell of them unless the key says what it is`);
}
