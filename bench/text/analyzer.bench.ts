/**
 * Text analysis of one value by script. The sample sentences are repeated to the same number of bytes for each.
 */
import { Bench } from 'tinybench';
import { Analyzer } from '../../engine/text/analyzer.js';
import { analyzeQuery } from '../../engine/text/query-tokens.js';
import { TokenRanges } from '../../engine/text/token-ranges.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';

const SAMPLES = {
  ASCII: 'The quick brown fox jumps over 13 lazy dogs, then rests under an old oak tree for the afternoon. ',
  accented: 'Où est le café « Été à Zürich » ? Señora Müller déjeune près de la forêt avec François et Zoë. ',
  Russian: 'Съешь ещё этих мягких французских булок, да выпей же чаю, пока за окном идёт тихий снег. ',
  Chinese: '敏捷的棕色狐狸跳过了懒狗，然后在老橡树下休息了一个下午，直到太阳落山。',
  Japanese: '素早い茶色のキツネがのろまな犬を飛び越えて、古いオークの木の下で午後まで休みました。',
  Korean: '빠른 갈색 여우가 게으른 개를 뛰어넘고 오래된 참나무 아래에서 오후 내내 쉬었다. ',
};

/** The sample, repeated to about `bytes` bytes and never cut inside itself. */
function repeat(sample: string, bytes: number): Uint8Array {
  return new TextEncoder().encode(sample.repeat(Math.max(1, Math.round(bytes / Buffer.byteLength(sample)))));
}

/** One call analyses one value. */
export function suite(size: SuiteSize): Bench {
  const bytes = size === 'tiny' ? 100 : 4096;
  const analyzer = new Analyzer();
  const sink = { token: (): void => {} };
  const bench = new Bench(benchOptions(size, `text analysis, a value of about ${bytes} bytes`));
  for (const [script, sample] of Object.entries(SAMPLES)) {
    const value = repeat(sample, bytes);
    bench.add(work(script, value.length, 'bytes'), () => void analyzer.analyze(value, 0, value.length, sink));
  }
  const ranges = new TokenRanges();
  const ascii = repeat(SAMPLES.ASCII, bytes);
  bench.add(work('ASCII with the places of tokens', ascii.length, 'bytes'), () =>
    ranges.analyze(ascii, 0, ascii.length, sink),
  );
  return bench.add('analyzeQuery, three words', () => void analyzeQuery('wireless noise cancelling', analyzer));
}
