/**
 * The house rules that a program can check. A rule that nothing enforces decays, so each has a test here.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { PROJECT_ROOT } from './support/project.js';
import {
  importsOf,
  listFiles,
  localImportsOf,
  readSources,
  readText,
  type SourceFile,
  walk,
} from './support/sources.js';

const LINES_MAX = 350;
const isKernel = ({ path }: SourceFile): boolean => path.startsWith('engine/kernels/');

const engine = readSources('engine');
const src = readSources('src');
const test_ = readSources('test');
const all = [...engine, ...src, ...test_, ...readSources('bench', 'perf')];
const compiled = all.filter((file) => !isKernel(file));

const none = (offenders: readonly string[], rule: string): void =>
  assert.equal(offenders.length, 0, `${rule}:\n  ${offenders.join('\n  ')}`);

const lineOf = (file: SourceFile, node: ts.Node): string =>
  `${file.path}:${file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree)).line + 1}`;

/** Places in `files` where `isBad` holds for a node. */
function offendingNodes(files: readonly SourceFile[], isBad: (node: ts.Node) => boolean): string[] {
  const places: string[] = [];
  for (const file of files) {
    walk(file.tree, (node) => {
      if (isBad(node)) places.push(lineOf(file, node));
    });
  }
  return places;
}

const STRUCTURES = ['text', 'terms', 'postings', 'values', 'documents'] as const;
const GROUND = ['layout', 'core', 'schema'];
const BELOW_STRUCTURES = [...GROUND, 'memory', 'storage'];
const BELOW_SIDES = [...BELOW_STRUCTURES, ...STRUCTURES, 'segment'];

/**
 * What each folder of the engine may import from, besides itself. The write side and the search side are strangers.
 * `engine.ts` holds the types of the engine's face.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  layout: [],
  kernels: ['layout'],
  core: ['layout'],
  schema: ['layout', 'core'],
  memory: GROUND,
  storage: GROUND,
  ...Object.fromEntries(STRUCTURES.map((structure) => [structure, BELOW_STRUCTURES])),
  segment: [...BELOW_STRUCTURES, ...STRUCTURES],
  query: BELOW_SIDES,
  writer: [...BELOW_SIDES, 'engine.ts', 'replication.ts'],
  upkeep: [...BELOW_SIDES, 'writer', 'replication.ts'],
  channel: [...BELOW_SIDES, 'query', 'writer', 'engine.ts', 'replication.ts'],
  threads: [...BELOW_SIDES, 'query', 'writer', 'channel', 'engine.ts', 'replication.ts'],
  'replication.ts': ['core'],
  'engine.ts': [...GROUND, 'replication.ts'],
  'index.ts': [...BELOW_SIDES, 'query', 'writer', 'upkeep', 'channel', 'threads', 'engine.ts', 'replication.ts'],
};

/** Folders that are stairs: each step imports itself and the ones before. */
const STAIRS: Record<string, readonly string[]> = {
  'engine/writer': [
    'state',
    'commit',
    'merge',
    'change',
    'snapshot',
    'recovery',
    'calm.ts',
    'quiet-heap.ts',
    'interval-sync.ts',
    'write-backlog.ts',
    'replicated-backlog.ts',
    'writer-loop.ts',
    'follow-log.ts',
    'open-writer.ts',
  ],
  'engine/storage': ['types', 'templates', 'generated', 'files', 'mapping', 'log'],
};

/** The folder of the engine a path lies in, or the file's own name at the top. */
const layerOf = (path: string): string => path.split('/')[1] ?? '';

test('imports inside the engine point down only, by the table of layers', () => {
  const offenders: string[] = [];
  for (const file of engine) {
    const layer = layerOf(file.path);
    const allowed = MAY_IMPORT[layer];
    if (allowed === undefined) {
      offenders.push(`${file.path}: ${layer} is in no layer`);
      continue;
    }
    for (const target of localImportsOf(file)) {
      if (!target.startsWith('engine/')) offenders.push(`${file.path} imports ${target}`);
      else if (layerOf(target) !== layer && !allowed.includes(layerOf(target)))
        offenders.push(`${file.path} imports ${target}`);
    }
  }
  none(offenders, 'layers');
});

test('each step of a stair imports itself and the ones before', () => {
  const offenders: string[] = [];
  for (const [folder, steps] of Object.entries(STAIRS)) {
    const stepOf = (path: string): number => steps.indexOf(path.slice(folder.length + 1).split('/')[0] ?? '');
    for (const file of engine.filter(({ path }) => path.startsWith(`${folder}/`))) {
      if (stepOf(file.path) < 0) offenders.push(`${file.path} is on no step of ${folder}`);
      for (const target of localImportsOf(file).filter((path) => path.startsWith(`${folder}/`)))
        if (stepOf(target) > stepOf(file.path)) offenders.push(`${file.path} imports ${target}`);
    }
  }
  none(offenders, 'stairs');
});

test('the server imports the engine through engine/index.ts alone', () => {
  const offenders = src.flatMap((file) =>
    localImportsOf(file)
      .filter((target) => !target.startsWith('src/') && target !== 'engine/index.ts')
      .map((target) => `${file.path} imports ${target}`),
  );
  none(offenders, 'src/ knows only the public API of the engine');
});

test('no file imports itself over others', () => {
  const graph = new Map(compiled.map((file) => [file.path, localImportsOf(file)]));
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    state.set(path, 'open');
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of graph.keys()) visit(path, []);
  none(circles, 'circular imports');
});

test('only memory/kernel-instance.ts knows where kernels.wasm lies', () => {
  const offenders = offendingNodes(
    [...engine, ...src].filter(({ path }) => path !== 'engine/memory/kernel-instance.ts'),
    (node) => ts.isStringLiteralLike(node) && node.text.includes('kernels.wasm'),
  );
  none(offenders, 'kernels.wasm is named');
});

test('Atomics appear only in channel/', () => {
  const others = [...engine, ...src].filter(({ path }) => !path.startsWith('engine/channel/'));
  none(
    offendingNodes(others, (node) => ts.isIdentifier(node) && node.text === 'Atomics'),
    'Atomics outside of channel/',
  );
});

test('uWebSockets.js is imported only in src/http/server.ts and uws.ts', () => {
  const knowing = ['src/http/server.ts', 'src/http/uws.ts'];
  const offenders = all.filter(
    (file) => !knowing.includes(file.path) && importsOf(file).some((name) => name.startsWith('uWebSockets.js')),
  );
  none(
    offenders.map(({ path }) => path),
    'uWebSockets.js is imported',
  );
});

test(`no file is longer than ${LINES_MAX} lines`, () => {
  const long = all.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  none(
    long.filter(({ lines }) => lines > LINES_MAX).map(({ path, lines }) => `${path}: ${lines}`),
    'too long',
  );
});

test('no any, enum, default export or non-null assertion', () => {
  const isBad = (node: ts.Node): boolean =>
    node.kind === ts.SyntaxKind.AnyKeyword ||
    ts.isEnumDeclaration(node) ||
    ts.isNonNullExpression(node) ||
    (ts.isExportAssignment(node) && !node.isExportEquals) ||
    node.kind === ts.SyntaxKind.DefaultKeyword;
  const isDefaultClause = (node: ts.Node): boolean => ts.isDefaultClause(node.parent);
  none(
    offendingNodes(compiled, (node) => isBad(node) && !(node.parent !== undefined && isDefaultClause(node))),
    'any, enum, default export or !',
  );
});

test('no marker of unfinished work and no silenced or singled-out test', () => {
  const marker = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`);
  none(
    all.filter(({ text }) => marker.test(text)).map(({ path }) => path),
    'a marker of unfinished work',
  );
  const isSilenced = (node: ts.Node): boolean =>
    (ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      ['only', 'skip', 'todo'].includes(node.expression.name.text) &&
      ['test', 'it', 'describe', 'suite', 't'].includes(node.expression.expression.getText())) ||
    (ts.isPropertyAssignment(node) &&
      ['only', 'skip', 'todo'].includes(node.name.getText()) &&
      ts.isCallExpression(node.parent.parent) &&
      ['test', 'it', 'describe', 'suite'].includes(node.parent.parent.expression.getText()));
  none(offendingNodes(test_, isSilenced), 'a test is silenced or singled out');
});

test('nothing is awaited at the top of a test file after its first test', () => {
  const isTest = (node: ts.Node): boolean =>
    ts.isExpressionStatement(node) &&
    ts.isCallExpression(node.expression) &&
    node.expression.expression.getText() === 'test';
  const isAwaited = (node: ts.Node): boolean =>
    ts.isAwaitExpression(node) || (!ts.isFunctionLike(node) && (ts.forEachChild(node, isAwaited) ?? false));
  const late = test_.flatMap((file) => {
    const { statements } = file.tree;
    const first = statements.findIndex(isTest);
    return first < 0
      ? []
      : statements
          .slice(first)
          .filter(isAwaited)
          .map((node) => lineOf(file, node));
  });
  none(late, 'node runs the hooks of the end as soon as no test is left, though the file still waits');
});

test('every file of engine/ and src/ opens with a comment', () => {
  const bare = [...engine, ...src].filter(({ text }) => !/^(#!.*\n)?\s*\/\*\*\s*\n \* \S/.test(text));
  none(
    bare.map(({ path }) => path),
    'no header comment',
  );
});

function isExported(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

test('every exported function of the engine has a docstring', () => {
  const offenders: string[] = [];
  for (const file of engine) {
    for (const statement of file.tree.statements) {
      if (!isExported(statement) || ts.getJSDocCommentsAndTags(statement).length > 0) continue;
      const isFunction = ts.isFunctionDeclaration(statement);
      const isArrow =
        ts.isVariableStatement(statement) &&
        statement.declarationList.declarations.some(
          ({ initializer }) =>
            initializer !== undefined && ts.isArrowFunction(initializer) && ts.isBlock(initializer.body),
        );
      if (isFunction || isArrow) offenders.push(lineOf(file, statement));
    }
  }
  none(offenders, 'no docstring');
});

const documents = ['README.md', ...listFiles('docs', '.md'), ...listFiles('engine', 'README.md')];
const FOLDERS = 'src|engine|test|docs|bench|perf|\\.ci';

test('documents name only files that exist', () => {
  const offenders: string[] = [];
  for (const document of documents) {
    const text = readText(document);
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target);
    const exists = (target: string): boolean =>
      [dirname(document), '.', 'engine'].some((base) => existsSync(join(PROJECT_ROOT, base, target)));
    const quoted = [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, target = '']) => target)
      .filter(
        (target) => new RegExp(`^(${FOLDERS})/[\\w./-]*$`).test(target) || /^[\w-]+\/[\w/-]+\.(ts|md)$/.test(target),
      );
    const drawn = [...text.matchAll(new RegExp(`(?:^|[\\s(])((?:${FOLDERS})/[\\w/-]+\\.(?:ts|md|json))\\b`, 'gm'))].map(
      ([, target = '']) => target,
    );
    for (const target of new Set([...links, ...quoted, ...drawn])) {
      if (!exists(target)) offenders.push(`${document}: ${target}`);
    }
  }
  none(offenders, 'named and not there');
});

test('documents and sources speak of this project alone', () => {
  const foreign = [`/${'work'}/`, `decisions${'.md'}`, `interface${'.md'}`, `/${'tmp'}/team`];
  const texts = [
    ...all.map(({ path, text }) => ({ path, text })),
    ...documents.map((path) => ({ path, text: readText(path) })),
  ];
  none(
    texts.filter(({ text }) => foreign.some((word) => text.includes(word))).map(({ path }) => path),
    'something outside of the project is named',
  );
});

test('package.json has the scripts that documents and .ci/run call', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  for (const name of ['start', 'build', 'check', 'test', 'bench', 'format']) assert.ok(name in scripts, name);
  const texts = [...documents, '.ci/run'].map(readText).join('\n');
  const called = [...texts.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
  none(
    [...new Set(called)].filter((name) => !(name in scripts)),
    'npm run of a script that is not there',
  );
});

test('no folder is a grab bag', () => {
  const names = all.map(({ path }) => path.split('/').at(-1) ?? '');
  none(
    names.filter((name) => /^(utils?|helpers?|misc|common)\.ts$/.test(name)),
    'a file without one idea',
  );
  none(
    readdirSync(join(PROJECT_ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      /(^|\/)index\.ts$/.test(path),
    ),
    'a barrel',
  );
});
