/**
 * Shows how far an import, or an export, is: a bar on a terminal, a line every few seconds elsewhere. Writes to standard error.
 */
import { Presets, SingleBar } from 'cli-progress';

const LINE_INTERVAL_MS = 5000;
const DOCUMENTS_FORMAT = '{bar} {percentage}% | {value} of {total} documents | {eta_formatted} left';
const BAR_FORMAT = '{bar} {percentage}% | {documents} documents | {rate}/s | {failed} failed | {eta} left';

export interface ImportCounts {
  readonly indexed: number;
  readonly failed: number;
}

export interface ImportProgress {
  /** `bytesRead` of the file's bytes on disk. */
  update(bytesRead: number, counts: ImportCounts): void;
  stop(): void;
}

/** 1120031 as 1,120,031 */
export const formatCount = (count: number): string => Math.round(count).toLocaleString('en-US');

function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, '0')}s`;
}

/** Starts showing an import of a file of `fileBytes` bytes. */
export function startProgress(fileBytes: number): ImportProgress {
  const startedMs = performance.now();
  const elapsedS = (): number => (performance.now() - startedMs) / 1000;
  const describe = (bytesRead: number, { indexed, failed }: ImportCounts) => ({
    documents: formatCount(indexed + failed),
    failed: formatCount(failed),
    rate: formatCount((indexed + failed) / Math.max(elapsedS(), 0.001)),
    eta: formatSeconds((elapsedS() * (fileBytes - bytesRead)) / bytesRead),
  });
  return process.stderr.isTTY ? barProgress(fileBytes, describe) : lineProgress(fileBytes, describe);
}

type Describe = (
  bytesRead: number,
  counts: ImportCounts,
) => { documents: string; failed: string; rate: string; eta: string };

function barProgress(fileBytes: number, describe: Describe): ImportProgress {
  const bar = new SingleBar({ format: BAR_FORMAT, stream: process.stderr, hideCursor: true }, Presets.shades_classic);
  bar.start(fileBytes, 0, describe(0, { indexed: 0, failed: 0 }));
  return {
    update: (bytesRead, counts) => bar.update(bytesRead, describe(bytesRead, counts)),
    stop: () => bar.stop(),
  };
}

function lineProgress(fileBytes: number, describe: Describe): ImportProgress {
  let shownMs = performance.now();
  return {
    update(bytesRead, counts) {
      if (performance.now() - shownMs < LINE_INTERVAL_MS) return;
      shownMs = performance.now();
      const { documents, failed, rate, eta } = describe(bytesRead, counts);
      const percent = fileBytes === 0 ? 'so far' : `${Math.floor((100 * bytesRead) / fileBytes)} %`;
      process.stderr.write(`${percent}: ${documents} documents, ${rate}/s, ${failed} failed, ${eta} left\n`);
    },
    stop() {},
  };
}

/** Starts showing how many documents of `total` (null: not known) are there. */
export function startDocumentProgress(total: number | null): { update(documents: number): void; stop(): void } {
  let shownMs = performance.now();
  const bar =
    process.stderr.isTTY && total !== null
      ? new SingleBar({ format: DOCUMENTS_FORMAT, stream: process.stderr, hideCursor: true }, Presets.shades_classic)
      : null;
  bar?.start(total ?? 0, 0);
  return {
    update(documents) {
      bar?.update(documents);
      if (bar !== null || performance.now() - shownMs < LINE_INTERVAL_MS) return;
      shownMs = performance.now();
      process.stderr.write(`${formatCount(documents)}${total === null ? '' : ` of ${formatCount(total)}`} documents\n`);
    },
    stop: () => bar?.stop(),
  };
}
