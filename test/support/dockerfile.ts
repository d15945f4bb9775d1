/**
 * Reads the part of the Dockerfile language that docs/deploy/Dockerfile speaks. What it does not know it refuses, so that no
 * step goes unheeded.
 */

/** One step, with its flags (`--from=build`) apart from the rest of its line. */
export interface Instruction {
  readonly name: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly rest: string;
}

const KNOWN = ['FROM', 'ENV', 'WORKDIR', 'COPY', 'RUN', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];

/** The steps of a Dockerfile in their order. Throws at an instruction that is not known here. */
export function parseDockerfile(text: string): Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [name = ''] = line.split(' ');
      if (!KNOWN.includes(name)) throw new Error(`unknown instruction: ${line}`);
      let rest = line.slice(name.length).trim();
      const flags: Record<string, string> = {};
      for (let flag = /^--([\w-]+)=(\S+)\s+/.exec(rest); flag !== null; flag = /^--([\w-]+)=(\S+)\s+/.exec(rest)) {
        flags[flag[1] ?? ''] = flag[2] ?? '';
        rest = rest.slice(flag[0].length);
      }
      return { name, flags, rest };
    });
}

/** The words of a command in the form of a JSON array, or what the shell is given of one that is none. */
export function commandWords(rest: string): string[] {
  return rest.startsWith('[') ? (JSON.parse(rest) as string[]) : ['/bin/sh', '-c', rest];
}

/** The variables that ENV sets by `NAME=value NAME=value`, without quotes. */
export function environmentOf(rest: string): Record<string, string> {
  const pairs = rest.split(/\s+/).map((pair) => pair.split('='));
  if (pairs.some((pair) => pair.length !== 2 || /["'$]/.test(pair.join('')))) throw new Error(`ENV ${rest}`);
  return Object.fromEntries(pairs);
}
