/**
 * Reads the project's Markdown for tests: fenced blocks, headings with their anchors, and links. It knows as much of Markdown as
 * these documents use, and no HTML.
 */

export interface FencedBlock {
  /** What stands behind the opening fence: `sh`, `json`, or nothing. */
  readonly language: string;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  /** Whether nothing but blank lines stands between the block before and this one. */
  readonly followsBlock: boolean;
}

export interface Link {
  readonly target: string;
  readonly line: number;
}

const FENCE = /^```(\S*)\s*$/;

/** All fenced blocks, in order. Throws where one is not closed. */
export function fencedBlocks(markdown: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  const lines = markdown.split('\n');
  let followsBlock = false;
  for (let index = 0; index < lines.length; index++) {
    const language = FENCE.exec(lines[index] ?? '')?.[1];
    if (language === undefined) {
      if (lines[index]?.trim() !== '') followsBlock = false;
      continue;
    }
    const end = lines.indexOf('```', index + 1);
    if (end < 0) throw new Error(`line ${index + 1}: a fence that is not closed`);
    blocks.push({ language, text: lines.slice(index + 1, end).join('\n'), line: index + 1, followsBlock });
    followsBlock = true;
    index = end;
  }
  return blocks;
}

/** The text outside of fenced blocks, line by line, so that numbers of lines stay. */
function proseLines(markdown: string): string[] {
  let isInside = false;
  return markdown.split('\n').map((line) => {
    const isFence = line.startsWith('```');
    if (isFence) isInside = !isInside;
    return isFence || isInside ? '' : line;
  });
}

/** The text of a heading as GitHub makes an anchor of it: lower case, no punctuation, hyphens for spaces. */
function slugOf(heading: string): string {
  const plain = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
  return plain
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** The anchors that the headings of a document have; of equal ones the later have a number. */
export function anchorsOf(markdown: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const line of proseLines(markdown)) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/** Targets of links and pictures outside of fences and code spans. */
export function linksOf(markdown: string): Link[] {
  return proseLines(markdown).flatMap((line, index) => {
    const text = line.replace(/`[^`]*`/g, '');
    return [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => ({ target, line: index + 1 }));
  });
}
