/**
 * What /proc tells of the memory of a server: by the kind of page, and in the arenas apart from everything else.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux alone has it. */
const SMAPS = 'smaps';
/** `7f00-7f10 rw-p 00000000 fd:00 1234   /path`, the line that opens a mapping. */
const MAPPING = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \d+\s*(.*)$/;
const SEGMENT_FILE = /\/segment-\d{6,}\.seg( \(deleted\))?$/;
/** Address space of an arena. Mapped files lie in it, so that it shows as several mappings without a gap. */
const ARENA_BYTES = 2 ** 32;

interface Mapping {
  readonly start: number;
  readonly end: number;
  readonly access: string;
  readonly path: string;
  rss: number;
  anonymous: number;
}

/** Bytes. */
export interface ProcessMemory {
  readonly rss: number;
  /** Not backed by any file. */
  readonly anonymous: number;
  /** Of `anonymous`, what lies in arenas. */
  readonly arenaAnonymous: number;
  /** Address space that shows segment files. */
  readonly segmentFiles: number;
  /** Of that, what is in memory, */
  readonly segmentFilesRss: number;
  /** and what was copied because somebody wrote to it. */
  readonly segmentFilesAnonymous: number;
  /** Into how many mappings the arenas are split: the system allows a process a limited number. */
  readonly arenaMappings: number;
  /** Open files, sockets and the like. */
  readonly descriptors: number;
}

/** Why readMemory() cannot work here, or ''. */
export const noProcessMemory = existsSync(`/proc/self/${SMAPS}`) ? '' : `no /proc/PID/${SMAPS} here`;

function readMappings(pid: number): Mapping[] {
  const mappings: Mapping[] = [];
  for (const line of readFileSync(`/proc/${pid}/${SMAPS}`, 'latin1').split('\n')) {
    const opening = MAPPING.exec(line);
    if (opening !== null) {
      const [, start = '', end = '', access = '', path = ''] = opening;
      mappings.push({
        start: Number.parseInt(start, 16),
        end: Number.parseInt(end, 16),
        access,
        path,
        rss: 0,
        anonymous: 0,
      });
      continue;
    }
    const mapping = mappings.at(-1);
    const figure = /^(Rss|Anonymous):\s+(\d+) kB$/.exec(line);
    if (mapping === undefined || figure === null) continue;
    mapping[figure[1] === 'Rss' ? 'rss' : 'anonymous'] = 1024 * Number(figure[2]);
  }
  return mappings;
}

/** Runs of mappings that lie side by side, may be written and are as large as an arena. */
function arenasOf(mappings: readonly Mapping[]): Mapping[][] {
  const runs: Mapping[][] = [];
  for (const mapping of mappings) {
    if (mapping.access !== 'rw-p') continue;
    const run = runs.at(-1);
    if (run?.at(-1)?.end === mapping.start) run.push(mapping);
    else runs.push([mapping]);
  }
  return runs.filter((run) => (run.at(-1)?.end ?? 0) - (run[0]?.start ?? 0) >= ARENA_BYTES);
}

/** Memory of the process `pid` at this moment. Errors: those of the file system. */
export function readMemory(pid: number): ProcessMemory {
  const mappings = readMappings(pid);
  const arenas = arenasOf(mappings).flat();
  const segmentFiles = mappings.filter(({ path }) => SEGMENT_FILE.test(path));
  const sum = (of: readonly Mapping[], read: (mapping: Mapping) => number): number =>
    of.reduce((total, mapping) => total + read(mapping), 0);
  return {
    rss: sum(mappings, ({ rss }) => rss),
    anonymous: sum(mappings, ({ anonymous }) => anonymous),
    arenaAnonymous: sum(arenas, ({ anonymous }) => anonymous),
    segmentFiles: sum(segmentFiles, ({ start, end }) => end - start),
    segmentFilesRss: sum(segmentFiles, ({ rss }) => rss),
    segmentFilesAnonymous: sum(segmentFiles, ({ anonymous }) => anonymous),
    arenaMappings: arenas.length,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}
