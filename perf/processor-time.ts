/**
 * How long a process has kept a processor busy, all its threads together, as the system counts it.
 */
import { readFileSync } from 'node:fs';

/** The clock of /proc, on every Linux. */
const TICKS_PER_SECOND = 100;
/** Fields behind the name, which may hold spaces: utime and stime are the 14th and 15th of all. */
const UTIME = 11;
const STIME = 12;

/** Seconds of `pid` so far. Throws where there is no such process. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[UTIME]) + Number(fields[STIME])) / TICKS_PER_SECOND;
}
