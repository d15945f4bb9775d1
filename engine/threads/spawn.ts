/**
 * Starts a worker thread from a module of this folder, from compiled JavaScript or, under a TypeScript loader, from the
 * sources: a worker does not inherit the loader of its parent.
 */
import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads';
import { assertPresent } from '../core/assert.js';

const SOURCE_SUFFIX = '.ts';

/** Starts `name` (a module of this folder, without its suffix). */
export const spawnWorker = (name: string, options: WorkerOptions): Worker =>
  spawnBeside(import.meta.url, name, options);

/**
 * Megabytes of each thread's young generation: three semi-spaces. Nothing lives there for long, as what is kept is shared memory,
 * and the default of 48 is never given back.
 */
const YOUNG_MB = 6;

/** Starts `name`, a module of the folder of `moduleUrl`, without its suffix. */
export function spawnBeside(moduleUrl: string, name: string, options: WorkerOptions): Worker {
  const isSource = moduleUrl.endsWith(SOURCE_SUFFIX);
  const url = new URL(`./${name}${isSource ? SOURCE_SUFFIX : '.js'}`, moduleUrl);
  if (!isSource) return new Worker(url, { ...options, name, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
  const loader = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(url.href)}); })`;
  return new Worker(loader, { ...options, name, eval: true });
}

/** The first message of a thread. */
const LOADED = 'loaded';

/** To be called first by a thread that was spawned: says that its modules are loaded. */
export function announceLoaded(): void {
  assertPresent(parentPort, 'port to the thread that spawned this one').postMessage(LOADED);
}

/** Has `receive` called with all messages of `thread` but the first; resolves with that. */
export function receiveOnceLoaded<Message>(thread: Worker, receive: (message: Message) => void): Promise<void> {
  return new Promise((resolve) => {
    thread.on('message', (message: Message | typeof LOADED) => {
      if (message === LOADED) resolve();
      else receive(message);
    });
  });
}
