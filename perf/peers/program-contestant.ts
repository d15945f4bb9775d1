/**
 * An engine that is a program of its own. It was told the file of the texts; each line "mode shape first end" on its standard
 * input, with tabs between, makes it ask the texts [first, end) and print a line "count nanoseconds" for each.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { assertPresent } from '../../engine/core/assert.js';
import { endWithUs } from '../process-end.js';
import { cleanEnvironment } from '../server-process.js';
import type { Contestant, Order, Pass } from './contestant.js';

/** A program and the arguments before those that say what it is to do. */
export interface Program {
  readonly command: string;
  readonly arguments: readonly string[];
}

/** As of a Contestant; exact, and asked in one call, unless said otherwise. */
export type ProgramTraits = Partial<Pick<Contestant, 'isExact' | 'hasTwoCalls'>>;

export class ProgramContestant implements Contestant {
  readonly name: string;
  readonly isExact: boolean;
  readonly hasTwoCalls: boolean;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(name: string, { isExact = true, hasTwoCalls = false }: ProgramTraits, child: ChildProcess) {
    this.name = name;
    this.isExact = isExact;
    this.hasTwoCalls = hasTwoCalls;
    this.#child = child;
    this.#lines = createInterface(assertPresent(child.stdout, 'standard output'))[Symbol.asyncIterator]();
  }

  /** Starts the program, which has to be stopped. `parameters`: after its own arguments. */
  static start(
    name: string,
    program: Program,
    parameters: readonly string[],
    traits: ProgramTraits = {},
  ): ProgramContestant {
    const child = spawn(program.command, [...program.arguments, ...parameters], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: cleanEnvironment(),
    });
    endWithUs(child);
    return new ProgramContestant(name, traits, child);
  }

  /** Throws when the program ends before it has answered. */
  async ask({ mode, shape, first, end }: Order): Promise<Pass> {
    this.#child.stdin?.write(`${[mode, shape, first, end].join('\t')}\n`);
    const counts: number[] = [];
    const us: number[] = [];
    for (let text = first; text < end; text++) {
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error(`${this.name} ended while it was asked for ${mode}, ${shape}`);
      const [count, nanoseconds] = value.split('\t').map(Number);
      counts.push(count);
      us.push(nanoseconds / 1000);
    }
    return { counts, us };
  }

  /** The first line that the program prints by itself. Throws when it prints none. */
  async firstLine(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error(`${this.name} ended without a word`);
    return value;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await exited;
  }
}
