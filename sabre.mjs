#!/usr/bin/env node
/**
 * The `sabre` command, for npm start, npx and people: looks at the version of Node, builds what changed since the last
 * time, and runs what src/main.ts has become. Written for every Node that knows modules, so that old ones get words and no stack trace.
 */
const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  process.stderr.write(`sabre: this is Node ${process.versions.node}; needed is 20, 22, 24 or 26\n`);
  process.exit(1);
}
const { existsSync } = await import('node:fs');
// A package that was packed holds what was built, and nothing to build.
const builder = new URL('./build.mjs', import.meta.url);
if (existsSync(builder)) {
  const { buildOrExit } = await import(builder.href);
  await buildOrExit();
}
await import('./dist/server/main.js');
