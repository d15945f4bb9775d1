/**
 * A strict reader of the Prometheus text exposition format 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). Throws on any line that does not belong.
 */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Metrics {
  readonly types: ReadonlyMap<string, string>;
  readonly helps: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)(?: (-?\d+))?$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const match = LABEL.exec(text);
    if (match === null) throw new Error(`bad labels: ${text}`);
    labels[match[1] ?? ''] = (match[2] ?? '').replace(/\\(["\\n])/g, (_, c: string) => (c === 'n' ? '\n' : c));
  }
  return labels;
}

/** A value as Go's ParseFloat takes it, which the format refers to: special values in any case. */
function parseValue(text: string): number {
  const special = /^(?:([+-]?)inf|nan)$/i.exec(text);
  if (special !== null) return special[1] === undefined ? Number.NaN : Number(`${special[1]}Infinity`);
  if (!/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text)) throw new Error(`bad value: ${text}`);
  return Number(text);
}

/** Parses an exposition; a sample before its TYPE line, a duplicate or a malformed line is an error. */
export function parseMetrics(text: string): Metrics {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const types = new Map<string, string>();
  const helps = new Map<string, string>();
  const samples: Sample[] = [];
  const seen = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/.exec(line);
    if (comment !== null) {
      const [, kind, name = '', rest = ''] = comment;
      const table = kind === 'HELP' ? helps : types;
      if (table.has(name)) throw new Error(`second ${kind} of ${name}`);
      table.set(name, rest);
      continue;
    }
    const match = SAMPLE.exec(line);
    if (match === null) throw new Error(`bad line: ${line}`);
    const [, name = '', labelText = '', value = ''] = match;
    const key = `${name}{${labelText}}`;
    if (seen.has(key)) throw new Error(`sample twice: ${key}`);
    seen.add(key);
    const family = name.replace(/_(bucket|sum|count)$/, '');
    if (!types.has(name) && !types.has(family)) throw new Error(`sample without TYPE: ${name}`);
    samples.push({ name, labels: parseLabels(labelText), value: parseValue(value) });
  }
  return { types, helps, samples };
}

/** The value of the sample whose labels include `labels`; throws when there is none. */
export function metricValue(metrics: Metrics, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const sample = findSamples(metrics, name, labels)[0];
  if (sample === undefined) throw new Error(`no sample ${name} ${JSON.stringify(labels)}`);
  return sample.value;
}

/** Samples called `name` whose labels include `labels`. */
export function findSamples(metrics: Metrics, name: string, labels: Readonly<Record<string, string>> = {}): Sample[] {
  const wanted = Object.entries(labels);
  return metrics.samples.filter(
    (sample) => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value),
  );
}
