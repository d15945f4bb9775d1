/**
 * Runs the import command against a server under test, as a process of its own.
 */
import { spawn } from 'node:child_process';
import { cleanEnvironment, SERVER_FILE, type ServerProcess } from './server-process.js';

const IMPORT_SUMMARY = /^([\d,]+) documents indexed, ([\d,]+) failed, in ([\d.]+) s/m;

/** Imports `file` into `collection`; returns its documents and seconds. Throws when the command fails. */
export function importFile(server: ServerProcess, file: string, collection: string, schemaFile: string) {
  const parameters = [
    SERVER_FILE,
    'import',
    file,
    '--collection',
    collection,
    '--schema',
    schemaFile,
    '--url',
    server.url,
  ];
  return new Promise<{ documents: number; seconds: number }>((done, fail) => {
    const child = spawn(process.execPath, parameters, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: cleanEnvironment(),
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', fail);
    child.on('close', (code) => {
      const summary = IMPORT_SUMMARY.exec(output);
      if (code !== 0 || summary === null) return fail(new Error(`importing ${file} ended with ${code}: ${output}`));
      done({ documents: Number(summary[1].replaceAll(',', '')), seconds: Number(summary[3]) });
    });
  });
}
