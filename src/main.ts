#!/usr/bin/env node
/**
 * The `sabre` command: config -> engine -> listen -> drain for `serve`, and the tools around it.
 */
import { registerBackup } from './cli/backup.js';
import { registerCluster } from './cli/cluster.js';
import { registerClusterSeed } from './cli/cluster-seed.js';
import { registerExport } from './cli/export.js';
import { registerImport } from './cli/import.js';
import { registerInspect } from './cli/inspect.js';
import { registerKey } from './cli/key.js';
import { registerRestore } from './cli/restore.js';
import { SabreCommand } from './cli/sabre-command.js';
import { registerServe } from './cli/serve.js';
import { registerService } from './cli/service.js';
import { registerSnapshot } from './cli/snapshot.js';
import { registerVerify } from './cli/verify.js';
import { withoutPasswords } from './cli/without-passwords.js';
import { readVersion } from './version.js';

const program = new SabreCommand('sabre')
  .description('Sabre, a search server')
  .version(readVersion())
  .configureHelp({ helpWidth: 120 })
  .configureOutput({ outputError: (text, write) => write(withoutPasswords(text)) });
registerServe(program);
registerImport(program);
registerExport(program);
registerKey(program);
registerSnapshot(program);
registerBackup(program);
registerRestore(program);
registerVerify(program);
registerInspect(program);
registerService(program);
registerClusterSeed(registerCluster(program));
await program.parseAsync();
