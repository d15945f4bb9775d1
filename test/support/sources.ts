/**
 * The project's own source files as text and syntax trees, for the tests that check how the code is written.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { PROJECT_ROOT } from './project.js';

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** Paths below `folder` that end in `ending`, generated code left out. */
export function listFiles(folder: string, ending: string): string[] {
  const root = join(PROJECT_ROOT, folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => path.endsWith(ending) && !path.includes('/generated/'))
    .sort();
}

export const readText = (path: string): string => readFileSync(join(PROJECT_ROOT, path), 'utf8');

/** Every TypeScript file below the folders. */
export function readSources(...folders: string[]): SourceFile[] {
  return folders
    .flatMap((folder) => [...listFiles(folder, '.ts'), ...listFiles(folder, '.tsx')])
    .map((path) => {
      const text = readText(path);
      return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true) };
    });
}

/** Calls `visit` for every node of the tree. */
export function walk(tree: ts.Node, visit: (node: ts.Node) => void): void {
  visit(tree);
  ts.forEachChild(tree, (child) => walk(child, visit));
}

/** What a file imports or re-exports, types included, as written. */
export function importsOf({ tree }: SourceFile): string[] {
  const specifiers: string[] = [];
  walk(tree, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const { moduleSpecifier } = node;
      if (moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)) specifiers.push(moduleSpecifier.text);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument !== undefined && ts.isStringLiteral(argument)) specifiers.push(argument.text);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      if (ts.isStringLiteral(node.argument.literal)) specifiers.push(node.argument.literal.text);
    }
  });
  return specifiers;
}

/** The project files that a file imports, from the project's root; packages are left out. */
export function localImportsOf(file: SourceFile): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => {
      const target = join(PROJECT_ROOT, dirname(file.path), specifier);
      const path = relative(PROJECT_ROOT, target).split(sep).join('/');
      if (/\.(css|svg)$/.test(path)) return path;
      const source = path.endsWith('.js') ? path.replace(/\.js$/, '.ts') : path.replace(/(\.ts)?$/, '.ts');
      return existsSync(join(PROJECT_ROOT, source)) ? source : `${source}x`;
    });
}
