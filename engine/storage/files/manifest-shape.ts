/**
 * Checks that a value is a manifest, and takes over nothing else from it. Called by manifest-file.ts on what it decoded,
 * and on what it is to encode: no manifest is written that could not be read back.
 */
import { COMPOUND_HEADER_BYTES } from '../../layout/compound.js';
import { SEGMENT_HEADER_BYTES } from '../../layout/segment.js';
import { parseSchema } from '../../schema/parse-schema.js';
import type {
  CompoundPlace,
  Manifest,
  ManifestCollection,
  ManifestCompound,
  ManifestLiveDocs,
  ManifestSegment,
} from './manifest.js';

const U32_MAX = 0xffffffff;

type Fields = { readonly [key: string]: unknown };

function wrong(where: string, expected: string, got: unknown): Error {
  const value = typeof got === 'number' || got === null ? String(got) : typeof got;
  return new Error(`${where}: expected ${expected}, got ${value}`);
}

function fieldsOf(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(where, 'a map', value);
  return value as Fields;
}

/** The integer `fields[key]`, from `min` to `max`. */
function integer(fields: Fields, key: string, where: string, min = 0, max = Number.MAX_SAFE_INTEGER): number {
  const value = fields[key];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
    throw wrong(`${where}.${key}`, `an integer from ${min} to ${max}`, value);
  }
  return value;
}

/** The items of `fields[key]` by `read`, which is given each one's place for its messages. */
function list<T>(fields: Fields, key: string, where: string, read: (value: unknown, where: string) => T): T[] {
  const value = fields[key];
  if (!Array.isArray(value)) throw wrong(`${where}.${key}`, 'an array', value);
  return value.map((item: unknown, index) => read(item, `${where}.${key}[${index}]`));
}

function checkDistinct(values: readonly (number | string)[], what: string): void {
  const seen = new Set<number | string>();
  for (const value of values) {
    if (seen.has(value)) throw new Error(`${what} ${value} twice`);
    seen.add(value);
  }
}

/** Sizes of the compound files, by number. */
type CompoundSizes = ReadonlyMap<number, number>;

function compoundOf(value: unknown, where: string, snapshotMax: number): ManifestCompound {
  const fields = fieldsOf(value, where);
  return {
    snapshot: integer(fields, 'snapshot', where, 1, snapshotMax),
    bytes: integer(fields, 'bytes', where, COMPOUND_HEADER_BYTES),
  };
}

/** The key `place` of what is read from `fields`, if it is there. */
function placeOf(fields: Fields, where: string, compounds: CompoundSizes): { readonly place?: CompoundPlace } {
  if (fields['place'] === undefined) return {};
  const at = `${where}.place`;
  const inner = fieldsOf(fields['place'], at);
  const compound = integer(inner, 'compound', at);
  const size = compounds.get(compound);
  if (size === undefined) throw wrong(`${at}.compound`, 'a compound file of the manifest', compound);
  const offset = integer(inner, 'offset', at, COMPOUND_HEADER_BYTES, size);
  return { place: { compound, offset, bytes: integer(inner, 'bytes', at, 0, size - offset) } };
}

function liveDocsOf(value: unknown, where: string, snapshotMax: number, compounds: CompoundSizes): ManifestLiveDocs {
  const fields = fieldsOf(value, where);
  return {
    snapshot: integer(fields, 'snapshot', where, 1, snapshotMax),
    checksum: integer(fields, 'checksum', where, 0, U32_MAX),
    ...placeOf(fields, where, compounds),
  };
}

function segmentOf(
  value: unknown,
  where: string,
  snapshot: number,
  idMax: number,
  compounds: CompoundSizes,
): ManifestSegment {
  const fields = fieldsOf(value, where);
  const maxDoc = integer(fields, 'maxDoc', where, 0, U32_MAX);
  const isWhole = fields['liveDocs'] === null;
  return {
    id: integer(fields, 'id', where, 1, idMax),
    bytes: integer(fields, 'bytes', where, SEGMENT_HEADER_BYTES, U32_MAX),
    checksum: integer(fields, 'checksum', where, 0, U32_MAX),
    maxDoc,
    liveCount: integer(fields, 'liveCount', where, isWhole ? maxDoc : 0, maxDoc),
    liveDocs: isWhole ? null : liveDocsOf(fields['liveDocs'], `${where}.liveDocs`, snapshot, compounds),
    ...placeOf(fields, where, compounds),
  };
}

/** `value` as a manifest, with every key it should have and no other. Throws an Error that names the offending place. */
export function manifestOf(value: unknown): Manifest {
  const fields = fieldsOf(value, 'manifest');
  const { directoryId } = fields;
  if (typeof directoryId !== 'string' || directoryId === '') {
    throw wrong('manifest.directoryId', 'a string that is not empty', directoryId);
  }
  const where = 'manifest';
  const snapshot = integer(fields, 'snapshot', where, 0, U32_MAX);
  const sequence = integer(fields, 'sequence', where);
  const nextSegmentId = integer(fields, 'nextSegmentId', where, 1, U32_MAX);
  const nextCollectionId = integer(fields, 'nextCollectionId', where);
  const hasCompounds = fields['compounds'] !== undefined;
  const compounds = hasCompounds
    ? list(fields, 'compounds', where, (item, place) => compoundOf(item, place, snapshot))
    : [];
  const sizes = new Map(compounds.map((compound) => [compound.snapshot, compound.bytes]));
  const collectionOf = (item: unknown, place: string): ManifestCollection => {
    const collection = fieldsOf(item, place);
    return {
      id: integer(collection, 'id', place, 0, nextCollectionId - 1),
      createdAt: integer(collection, 'createdAt', place),
      schema: parseSchema(collection['schema']),
      sequence: integer(collection, 'sequence', place, 0, sequence),
      segments: list(collection, 'segments', place, (segment, at) =>
        segmentOf(segment, at, snapshot, nextSegmentId - 1, sizes),
      ),
    };
  };
  const collections = list(fields, 'collections', where, collectionOf);
  const segments = collections.flatMap((collection) => collection.segments);
  checkDistinct(
    collections.map(({ id }) => id),
    'collection',
  );
  checkDistinct(
    collections.map(({ schema }) => schema.name),
    'collection',
  );
  checkDistinct(
    segments.map(({ id }) => id),
    'segment',
  );
  checkDistinct(
    compounds.map((compound) => compound.snapshot),
    'compound file',
  );
  return {
    snapshot,
    directoryId,
    sequence,
    nextSegmentId,
    nextCollectionId,
    walFile: integer(fields, 'walFile', where),
    writtenAt: integer(fields, 'writtenAt', where),
    collections,
    ...(hasCompounds ? { compounds } : {}),
  };
}
