/**
 * The parts of an OpenAPI description that tests look into, and how its examples are sent to a server.
 */
import type { Client, Reply } from './client.js';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}

interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: object;
  readonly description: string;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { description: string; content?: Readonly<Record<string, Media>> }>>;
}

export interface DescribedOperation extends Described {
  readonly method: string;
  readonly path: string;
}

export interface Description {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Every operation of `description`, in its order. */
export const operationsOf = (description: Description): DescribedOperation[] =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

/** The example of a parameter: its own, or the first of several that is named so. */
export const exampleOf = ({ example, examples }: DescribedParameter): unknown =>
  example ?? examples?.['example']?.value;

/** The status of success of `operation`. */
export const successOf = ({ responses }: Described): number =>
  Number(Object.keys(responses).find((status) => status.startsWith('2')));

/** Sends `operation` with its example parameters and its example body of `mediaType`. */
export function sendExample(
  client: Client,
  operation: DescribedOperation,
  mediaType = 'application/json',
): Promise<Reply> {
  let { path } = operation;
  const query = new URLSearchParams();
  for (const parameter of operation.parameters) {
    const value = exampleOf(parameter);
    if (value === undefined) continue;
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(String(value)));
    else query.set(parameter.name, String(value));
  }
  const example = operation.requestBody?.content[mediaType]?.example;
  const body = typeof example === 'string' ? example : JSON.stringify(example);
  return client.request(operation.method, query.size > 0 ? `${path}?${query}` : path, {
    body,
    headers: body === undefined ? {} : { 'content-type': mediaType },
  });
}
