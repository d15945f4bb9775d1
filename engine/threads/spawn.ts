/**
 * Starts a worker thread from a module of this folder, from compiled JavaScript or, under a TypeScript loader, from the
 * sources: a worker does not inherit the loader of its parent.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads';

const SOURCE_SUFFIX = '.ts';

/** Starts `name` (a module of this folder, without its suffix). */
export function spawnWorker(name: string, options: WorkerOptions): Worker {
  const isSource = import.meta.url.endsWith(SOURCE_SUFFIX);
  const url = new URL(`./${name}${isSource ? SOURCE_SUFFIX : '.js'}`, import.meta.url);
  if (!isSource) return new Worker(url, { ...options, name });
  const loader = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(url.href)}); })`;
  return new Worker(loader, { ...options, name, eval: true });
}
