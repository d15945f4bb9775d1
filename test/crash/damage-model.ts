/**
 * Random damages to the files of a prepared data directory, and what each must come to: worked out from the bytes of the
 * sound and of the damaged file alone, never by the code that reads them in earnest.
 */
import fc from 'fast-check';
import { WAL_FRAME_HEADER_BYTES, WAL_HEADER_BYTES } from '../../engine/layout/wal.js';
import { randomNumbers } from '../support/engine-arena.js';
import type { CollectionName, PreparedDirectory } from './damage-directory.js';

const SECTOR_BYTES = 512;
/** Bytes from the start of a file that a share of the damages hits: the headers. */
const HEAD_BYTES = 128;

export interface Damage {
  readonly file: string;
  readonly kind: 'bit' | 'byte' | 'zeros' | 'garbage' | 'truncation';
  /** In the file; of a sector, its first byte. */
  readonly offset: number;
  readonly seed: number;
}

export const describe = ({ file, kind, offset, seed }: Damage): string => `${kind} at ${offset} of ${file} (${seed})`;

const KINDS: readonly { readonly pattern: RegExp; readonly weight: number }[] = [
  { pattern: /\.seg$/, weight: 5 },
  { pattern: /\.bits$/, weight: 1 },
  { pattern: /^MANIFEST$/, weight: 1 },
  { pattern: /^wal-000002\.log$/, weight: 2 },
  { pattern: /^wal-000003\.log$/, weight: 2 },
];

/** Damages to any file; `only` narrows them to files of that kind. */
export function damages(
  files: ReadonlyMap<string, Uint8Array>,
  only: RegExp = /./,
  kinds: readonly Damage['kind'][] = ['bit', 'byte', 'zeros', 'garbage', 'truncation'],
): fc.Arbitrary<Damage> {
  const choices = KINDS.map(({ pattern, weight }) => ({
    weight,
    names: [...files.keys()].filter((name) => pattern.test(name) && only.test(name)).sort(),
  })).filter(({ names }) => names.length > 0);
  const file = fc.oneof(...choices.map(({ weight, names }) => ({ weight, arbitrary: fc.constantFrom(...names) })));
  // The commonest kind first in `kinds`, and again: single bits are what disks and memory lose.
  const kind = fc.constantFrom('bit' as const, ...kinds);
  return fc
    .record({ file, kind, at: fc.nat({ max: 0x7fffffff }), isHead: fc.nat({ max: 4 }), seed: fc.nat({ max: 65535 }) })
    .map(({ isHead, at, ...rest }) => {
      const size = files.get(rest.file)?.length ?? 0;
      const offset = at % (isHead === 0 ? Math.min(size, HEAD_BYTES) : size);
      return { ...rest, offset };
    });
}

/** The file with the damage, a copy. */
export function damagedBytes(sound: Uint8Array, { kind, offset, seed }: Damage): Uint8Array {
  if (kind === 'truncation') return sound.slice(0, offset);
  const bytes = sound.slice();
  const random = randomNumbers(seed + 1);
  const end = Math.min(offset + SECTOR_BYTES, bytes.length);
  if (kind === 'bit') bytes[offset] ^= 1 << (seed & 7);
  else if (kind === 'byte') bytes[offset] = seed & 255;
  else if (kind === 'zeros') bytes.fill(0, offset, end);
  else for (let at = offset; at < end; at++) bytes[at] = random(256);
  return bytes;
}

/** What must become of a damaged directory that is opened with full verification. */
export type Outcome =
  | { readonly kind: 'none' }
  /** Nobody opens it. */
  | { readonly kind: 'refused' }
  /** One collection answers corrupt_data, the others what they held. */
  | { readonly kind: 'collection refused'; readonly name: CollectionName }
  /** The log ends after `writes` writes. `isTold`: a cut is reported; else nothing can tell that there was more. */
  | { readonly kind: 'cut'; readonly writes: number; readonly isTold: boolean };

export function outcomeOf(prepared: PreparedDirectory, damage: Damage, bytes: Uint8Array): Outcome {
  const { file } = damage;
  const sound = prepared.files.get(file);
  if (sound === undefined) throw new Error(`no file ${file}`);
  if (Buffer.compare(sound, bytes) === 0) return { kind: 'none' };
  if (file === 'MANIFEST') return { kind: 'refused' };
  const name = prepared.owners.get(file);
  if (name !== undefined) return { kind: 'collection refused', name };
  const logs = [...prepared.files.keys()].filter((one) => one.endsWith('.log')).sort();
  if (file !== logs.at(-1)) return { kind: 'refused' };
  return logOutcome(sound, bytes);
}

interface Frame {
  readonly start: number;
  readonly end: number;
  readonly sequence: number;
  readonly unsynced: number;
}

/** The frames of a sound log file, as engine/layout/wal.ts draws them. */
function framesOf(bytes: Uint8Array): Frame[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const frames: Frame[] = [];
  for (let start = WAL_HEADER_BYTES; start < bytes.length; ) {
    const end = start + WAL_FRAME_HEADER_BYTES + view.getUint32(start, true);
    frames.push({ start, end, sequence: view.getUint32(start + 8, true), unsynced: view.getUint32(start + 16, true) });
    start = end;
  }
  return frames;
}

/** The last file of the log: what a torn write may have left is cut, unless a later frame proves that it was synced. */
function logOutcome(sound: Uint8Array, bytes: Uint8Array): Outcome {
  const frames = framesOf(sound);
  const before = frames[0].sequence - 1;
  // A file too short for its header is one that was being created.
  if (bytes.length < WAL_HEADER_BYTES) return { kind: 'cut', writes: before, isTold: true };
  const same = (start: number, end: number): boolean =>
    end <= bytes.length && Buffer.compare(sound.subarray(start, end), bytes.subarray(start, end)) === 0;
  if (!same(0, WAL_HEADER_BYTES)) return { kind: 'refused' };
  const first = frames.findIndex(({ start, end }) => !same(start, end));
  if (first < 0) throw new Error('some frame differs');
  const lost = frames[first];
  const isProven = frames
    .slice(first + 1)
    .some(({ start, end, sequence, unsynced }) => same(start, end) && sequence - unsynced >= lost.sequence);
  if (isProven) return { kind: 'refused' };
  return { kind: 'cut', writes: lost.sequence - 1, isTold: bytes.length > lost.start };
}
