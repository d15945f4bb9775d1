/**
 * The inspect command: shows what a segment file consists of.
 *
 * Registered by main.ts. Reads one file and the manifest beside it, and changes nothing.
 */
import type { Command } from 'commander';
import { type InspectedField, inspectSegment, type SegmentInspection } from '../../engine/index.js';
import { formatBytes } from '../format-bytes.js';
import { formatCount } from './import-progress.js';
import { runCommand } from './run-command.js';

/** Adds the inspect command to `program`. */
export function registerInspect(program: Command): void {
  program
    .command('inspect')
    .description('show the sections, counts and checksums of a segment file; exit status 1 when it is damaged')
    .argument('<segment>', 'segment file, for example data/segment-000001.seg')
    .option('--json', 'print one JSON object')
    .action((path: string, options: { json?: boolean }) =>
      runCommand('inspect', async () => {
        const inspection = inspectSegment(path);
        process.stdout.write(`${options.json === true ? asJson(inspection) : describe(inspection)}\n`);
        if (!isSound(inspection)) process.exitCode = 1;
      }),
    );
}

const isSound = ({ header, fileBytes }: SegmentInspection): boolean =>
  header.isHeaderSound && header.isContentSound && header.bytes === fileBytes;

const hex = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`;

const nameOf = ({ field, name }: Pick<InspectedField, 'field' | 'name'>): string => name ?? `field ${field}`;

/** Rows with their cells in columns; those at the places in `right` end on the same character. */
function table(rows: readonly (readonly string[])[], right: readonly number[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (right.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

function describe(inspection: SegmentInspection): string {
  const parts = [describeHead(inspection)];
  if (inspection.sections.length > 0) parts.push(describeSections(inspection));
  if (inspection.fields.length > 0) parts.push(describeFields(inspection));
  return parts.join('\n\n');
}

function describeHead({ file, fileBytes, header, collection, liveCount, ratio }: SegmentInspection): string {
  const state = (isSound: boolean): string => (isSound ? 'holds' : 'does not hold');
  const size = header.bytes === fileBytes ? '' : `, but its header says ${formatCount(header.bytes)}`;
  const live = liveCount === null ? '' : `, ${formatCount(liveCount)} live`;
  const rows = [
    ['file', file],
    ['size', `${formatCount(fileBytes)} bytes (${formatBytes(fileBytes)})${size}`],
    ['format', `${header.version}`],
    ['segment', `${header.segmentId}`],
    ['collection', collection ?? 'unknown: no manifest beside the file names it'],
    ['documents', `${formatCount(header.maxDoc)}${live}`],
    ['entries', formatCount(header.entryCount)],
    ['prefix postings', formatCount(header.prefixPostingsCount)],
    ['header checksum', `${hex(header.headerChecksum)} ${state(header.isHeaderSound)}`],
    ['content checksum', `${hex(header.contentChecksum)} ${state(header.isContentSound)}`],
  ];
  if (ratio !== null) rows.push(['size to documents', ratio.toFixed(2)]);
  return table(rows, []);
}

function describeSections({ sections, fields, fileBytes }: SegmentInspection): string {
  const rows = sections.map(({ name, field, offset, bytes }) => {
    const owner = field === null ? undefined : fields[field];
    const share = `${((100 * bytes) / fileBytes).toFixed(1)} %`;
    return [owner === undefined ? name : `${name} of ${nameOf(owner)}`, formatCount(offset), formatCount(bytes), share];
  });
  return table([['section', 'offset', 'bytes', 'share'], ...rows], [1, 2, 3]);
}

function describeFields({ fields }: SegmentInspection): string {
  const count = (value: number | null): string => (value === null ? '-' : formatCount(value));
  const rows = fields.map((field) => [
    nameOf(field),
    field.type ?? '-',
    count(field.docCount),
    count(field.tokens),
    field.hasColumn ? 'yes' : 'no',
  ]);
  return table([['field', 'type', 'documents with tokens', 'tokens', 'column'], ...rows], [2, 3]);
}

function asJson({
  file,
  fileBytes,
  header,
  sections,
  fields,
  collection,
  liveCount,
  ratio,
}: SegmentInspection): string {
  const counts = { documents: header.maxDoc, live_documents: liveCount, entries: header.entryCount };
  return JSON.stringify(
    {
      file,
      bytes: fileBytes,
      format: header.version,
      segment: header.segmentId,
      collection,
      ...counts,
      prefixPostings: header.prefixPostingsCount,
      header_checksum: hex(header.headerChecksum),
      header_sound: header.isHeaderSound,
      content_checksum: hex(header.contentChecksum),
      content_sound: header.isContentSound,
      size_to_documents: ratio,
      sections,
      fields: fields.map(({ field, name, type, docCount, tokens, hasColumn }) => ({
        field,
        name,
        type,
        documents_with_tokens: docCount,
        tokens,
        has_column: hasColumn,
      })),
    },
    null,
    2,
  );
}
