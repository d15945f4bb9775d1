/**
 * A corpus like that of the load tests, of a few thousand titles: for tests that run the commands so that they do not rot.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const documentAt = (_: unknown, i: number): string =>
  JSON.stringify({
    id: `t${i}`,
    title: `title number${i} of subject${i % 97} and colour${i % 13}`,
    subreddit: `r${i % 20}`,
    domain: `d${i % 30}.example`,
    flair: `f${i % 5}`,
    score: i % 500,
    num_comments: i % 60,
    is_self: i % 2 === 0,
    created: 1_500_000_000_000 + i * 1000,
  });

/** Writes `count` documents to `folder`, as the first file of the first corpus. */
export async function writeSmallCorpus(folder: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, documentAt).join('\n');
  await writeFile(join(folder, 'reddit-titles-0.jsonl.gz'), gzipSync(`${lines}\n`));
}
