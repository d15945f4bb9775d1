/**
 * A process of a cluster on its host: started, killed, stopped for a while, started again. Used by cluster.ts.
 *
 * It ends with this process at the latest; what it printed is kept.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Host } from './network-hosts.js';
import { cleanEnvironment, type ExitStatus } from './server.js';

const LOG_CHARS_MAX = 200_000;
const STOP_WITHIN_MS = 30_000;

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export class HostProcess {
  readonly name: string;
  readonly host: Host;
  /** Variables of lives that begin after they were set. */
  readonly environment: Record<string, string> = {};
  readonly #command: readonly string[];
  #child: ChildProcess | null = null;
  #exited: Promise<ExitStatus> = Promise.resolve({ code: null, signal: null });
  #log = '';
  #isPaused = false;
  #deaths = 0;

  constructor(name: string, host: Host, command: readonly string[]) {
    this.name = name;
    this.host = host;
    this.#command = command;
  }

  /** Everything it printed, in all its lives. */
  get log(): string {
    return this.#log;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** How often it has ended though nobody asked it to. */
  get deaths(): number {
    return this.#deaths;
  }

  /** How the last life ended, once it has. */
  get exited(): Promise<ExitStatus> {
    return this.#exited;
  }

  /** Starts it; does nothing while it runs. `more` is added to its command for this life. */
  run(more: readonly string[] = []): void {
    if (this.#child !== null) return;
    const [program = '', ...args] = this.host.wrap([...this.#command, ...more]);
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const child = spawn(program, args, { env: cleanEnvironment(this.environment), cwd: tmpdir(), stdio: [...stdio] });
    const keep = (chunk: Buffer): void => {
      this.#log = (this.#log + chunk.toString('utf8')).slice(-LOG_CHARS_MAX);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    children.add(child);
    this.#child = child;
    this.#isPaused = false;
    this.#exited = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        children.delete(child);
        // kill() and stop() have let go of it.
        if (this.#child === child) {
          this.#child = null;
          this.#deaths++;
        }
        resolve({ code, signal });
      };
      child.on('error', (error) => {
        this.#log += `cannot be started: ${error.message}\n`;
        end(null, null);
      });
      child.on('close', end);
    });
  }

  /** SIGKILL, and waits until it is gone. */
  async kill(): Promise<ExitStatus> {
    this.#take()?.kill('SIGKILL');
    return this.#exited;
  }

  /** SIGTERM, and waits until it is gone; SIGKILL when that takes too long. */
  async stop(): Promise<ExitStatus> {
    this.resume();
    const child = this.#take();
    child?.kill('SIGTERM');
    const late = setTimeout(() => child?.kill('SIGKILL'), STOP_WITHIN_MS);
    const status = await this.#exited;
    clearTimeout(late);
    return status;
  }

  /** The child, whose end is expected from now on. */
  #take(): ChildProcess | null {
    const child = this.#child;
    this.#child = null;
    return child;
  }

  /** Stops all its threads where they are, until resume(). */
  pause(): void {
    this.#isPaused = this.#child?.kill('SIGSTOP') ?? false;
  }

  resume(): void {
    if (this.#isPaused) this.#child?.kill('SIGCONT');
    this.#isPaused = false;
  }
}
