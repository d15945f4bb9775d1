/**
 * Random damages to the files of a prepared data directory, and what each must come to: worked out from the bytes of the
 * sound and of the damaged file alone, never by the code that reads them in earnest.
 */
import fc from 'fast-check';
import { WAL_HEADER_BYTES } from '../../engine/layout/wal.js';
import { randomNumbers } from '../support/engine-arena.js';
import { type WalFramePlace, walFrames } from '../support/wal-frames.js';
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

/** What leaves a file as long as it is. */
export const BYTE_KINDS = ['bit', 'byte', 'zeros', 'garbage'] as const;
const ALL_KINDS = [...BYTE_KINDS, 'truncation'] as const;

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
  kinds: readonly Damage['kind'][] = ALL_KINDS,
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

/** Damages to what only large segments have, each of them alike often. */
export function aimedDamages(
  { aims }: PreparedDirectory,
  kinds: readonly Damage['kind'][] = ALL_KINDS,
): fc.Arbitrary<Damage> {
  const places = [...aims].flatMap(([file, found]) => found.map((aim) => ({ file, ...aim })));
  return fc
    .record({
      place: fc.constantFrom(...places),
      kind: fc.constantFrom('bit' as const, ...kinds),
      at: fc.nat({ max: 0x7fffffff }),
      seed: fc.nat({ max: 65535 }),
    })
    .map(({ place: { file, start, end }, at, ...rest }) => ({ ...rest, file, offset: start + (at % (end - start)) }));
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
  /** These collections answer corrupt_data, the others what they held. */
  | { readonly kind: 'collections refused'; readonly names: readonly CollectionName[] }
  /**
   * The log ends after `writes` writes. `isTold`: a cut is reported; else nothing can tell that there was more. `names`:
   * collections that are refused for a record before that.
   */
  | {
      readonly kind: 'cut';
      readonly writes: number;
      readonly isTold: boolean;
      readonly names: readonly CollectionName[];
    };

export function outcomeOf(prepared: PreparedDirectory, damage: Damage, bytes: Uint8Array): Outcome {
  const { file } = damage;
  const sound = prepared.files.get(file);
  if (sound === undefined) throw new Error(`no file ${file}`);
  if (Buffer.compare(sound, bytes) === 0) return { kind: 'none' };
  if (file === 'MANIFEST') return { kind: 'refused' };
  const name = prepared.owners.get(file);
  if (name !== undefined) return { kind: 'collections refused', names: [name] };
  const logs = [...prepared.files.keys()].filter((one) => one.endsWith('.log')).sort();
  return logOutcome(prepared, sound, bytes, file === logs.at(-1));
}

/**
 * The last file of the log: what a torn write may have left is cut, unless a later frame proves that it was synced. Of the
 * files before it, all was synced. A frame whose header is whole tells whose record is damaged; behind any other nothing
 * can be read.
 */
function logOutcome(prepared: PreparedDirectory, sound: Uint8Array, bytes: Uint8Array, isLast: boolean): Outcome {
  const frames = walFrames(sound);
  const before = frames[0].sequence - 1;
  // A file too short for its header is one that was being created.
  if (bytes.length < WAL_HEADER_BYTES)
    return isLast ? { kind: 'cut', writes: before, isTold: true, names: [] } : { kind: 'refused' };
  const same = (start: number, end: number): boolean =>
    end <= bytes.length && Buffer.compare(sound.subarray(start, end), bytes.subarray(start, end)) === 0;
  if (!same(0, WAL_HEADER_BYTES)) return { kind: 'refused' };
  const isHeaderWhole = ({ start, payload, end }: WalFramePlace): boolean =>
    same(start, payload) && end <= bytes.length;
  const names = new Set<CollectionName>();
  for (const [index, frame] of frames.entries()) {
    const { start, end, sequence } = frame;
    if (same(start, end)) continue;
    const isProven = frames
      .slice(index + 1)
      .some((later) => isHeaderWhole(later) && later.sequence - later.unsynced >= sequence);
    if (isLast && !isProven) {
      return { kind: 'cut', writes: sequence - 1, isTold: bytes.length > start, names: [...names] };
    }
    if (!isHeaderWhole(frame)) return { kind: 'refused' };
    names.add(prepared.writes[sequence - 1].name);
  }
  if (names.size === 0) throw new Error('some frame differs');
  return { kind: 'collections refused', names: [...names] };
}
