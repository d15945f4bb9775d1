/**
 * `sabre service install`: prints a unit for systemd with the paths of this installation, and how to put it into force. Writes
 * no file and asks no service anything: what becomes of the machine is for its administrator.
 */
import { join } from 'node:path';
import type { Command } from 'commander';
import { packageFolder } from '../version.js';
import { type Installation, isInHome, OPTIONS_FILE, serviceUnit, UNIT_FILE } from './service-unit.js';

const AFTER_HELP = `
Prints the unit, and writes nothing. As root:
  sabre service install > ${UNIT_FILE}
  systemctl daemon-reload
  systemctl enable --now sabre
Options of the server go into ${OPTIONS_FILE}, a line each, for example SABRE_ADMIN_KEY=...`;

/** Why the user of the service could not run what lies at `path`; null when nothing is wrong with the place. */
function describeBadPlace(path: string): string | null {
  if (isInHome(path))
    return `${path} lies in somebody's home: the service runs as a user of its own, who must be able to read it`;
  if (/^\/(var\/)?tmp\//.test(path)) return `${path} lies in a temporary folder, which the service does not see`;
  return null;
}

/** Adds the command to `program`. */
export function registerService(program: Command): void {
  const service = program.command('service').description('print the unit by which systemd runs the server');
  service
    .command('install')
    .description('print the unit, with the paths of this installation')
    .addHelpText('after', AFTER_HELP)
    .action(() => {
      const installation: Installation = { node: process.execPath, program: join(packageFolder(), 'sabre.mjs') };
      process.stdout.write(serviceUnit(installation));
      for (const path of [installation.node, installation.program]) {
        const reason = describeBadPlace(path);
        if (reason !== null) process.stderr.write(`service: warning: ${reason}\n`);
      }
      process.stderr.write(
        `service: nothing was written. To install it: sabre service install | sudo tee ${UNIT_FILE}, ` +
          `then sudo systemctl daemon-reload && sudo systemctl enable --now sabre\n`,
      );
    });
}
