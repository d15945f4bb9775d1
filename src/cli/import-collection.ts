/**
 * The collection that an import goes into: one that is there, or one that is created with a schema that is given, or proposed from the
 * documents. Used by the import command.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { FieldType } from '../import/declared-field.js';
import { inferSchema } from '../import/infer-schema.js';
import { type ApiClient, CommandError, describeFailure, type FailureHints } from './api-client.js';
import { ImportInput, type InputOptions, inputError } from './import-input.js';
import { existsAlready, isSpecialFile, isTaken, writeError } from './output-file.js';
import { schemaText } from './schema-text.js';

export const HINTS: FailureHints = {
  404: '(create the collection first, or give --schema FILE or --infer)',
  413: '(give a smaller --batch-docs)',
};

/** What to do about a proposal that is there already. */
const ADVICE = 'give another name, or remove it';

export interface CollectionOptions extends InputOptions {
  readonly collection: string;
  readonly schema?: string;
  readonly infer?: boolean;
}

export const collectionPath = (collection: string): string => `/collections/${encodeURIComponent(collection)}`;

/** The types of the fields that a schema, or a view of a collection, declares. */
function typesOf(schema: unknown): Map<string, FieldType> {
  const { fields = [] } = schema as { fields?: readonly { name: string; type: FieldType }[] };
  return new Map(fields.map(({ name, type }) => [name, type]));
}

/**
 * Creates the collection when a schema is given or wanted; else makes sure that it is there. Returns the types of its fields.
 * Once `interrupted`, none is created. Errors: CommandError; AbortError.
 */
export async function prepareCollection(
  client: ApiClient,
  input: ImportInput,
  options: CollectionOptions,
  interrupted: AbortSignal,
): Promise<Map<string, FieldType>> {
  const { collection } = options;
  interrupted.throwIfAborted();
  const schema = await chosenSchema(input, options);
  interrupted.throwIfAborted();
  if (schema !== null) {
    const body = Buffer.from(JSON.stringify({ ...schema, name: collection }));
    const request = {
      method: 'POST',
      path: '/collections',
      body,
      contentType: 'application/json',
    } as const;
    const response = await client.send(request, interrupted);
    if (response.status === 201) return typesOf(schema);
    if (response.status !== 409) throw describeFailure(response, `creating collection "${collection}"`, HINTS);
    process.stderr.write(`collection "${collection}" exists already: importing into it as it is\n`);
  }
  const response = await client.send({ method: 'GET', path: collectionPath(collection) }, interrupted);
  if (response.status !== 200) throw describeFailure(response, `looking for collection "${collection}"`, HINTS);
  return typesOf(JSON.parse(response.body.toString()));
}

async function chosenSchema(input: ImportInput, options: CollectionOptions): Promise<object | null> {
  if (options.schema !== undefined) return readSchema(options.schema);
  return options.infer === true ? await propose(input, options.collection) : null;
}

async function propose(input: ImportInput, collection: string): Promise<ReturnType<typeof inferSchema>['schema']> {
  const sample = await input.sample();
  if (sample.length === 0) throw new CommandError(`${input.name}: it has no documents to infer a schema from`);
  const { schema, notes } = inferSchema(collection, sample);
  process.stderr.write(`inferred schema:\n${schemaText(schema)}`);
  for (const note of notes) process.stderr.write(`  ${note}\n`);
  return schema;
}

function readSchema(path: string): object {
  try {
    const schema: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return schema;
  } catch (error) {
    throw inputError(path, error);
  }
  throw new CommandError(`${path} holds no schema: expected a JSON object`);
}

/**
 * Writes the schema that documents of `path` would have to the file `to`, which must not be there yet. Errors: CommandError.
 */
export async function writeProposal(path: string, to: string, options: CollectionOptions): Promise<void> {
  const isSpecial = isSpecialFile(to);
  if (!isSpecial && existsSync(to)) throw existsAlready(to, ADVICE);
  const input = await ImportInput.open(path, options);
  const schema = await propose(input, options.collection).finally(() => input.file.close());
  try {
    writeFileSync(to, schemaText(schema), { flag: isSpecial ? 'w' : 'wx' });
  } catch (error) {
    throw isTaken(error) ? existsAlready(to, ADVICE) : writeError(to, error);
  }
  process.stderr.write(`the schema is in ${to}\n`);
}
