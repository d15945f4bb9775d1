/**
 * The files for containers, by what they say: the image asks for no right and has what the server needs, the compose file fits
 * the image and the server, and the health check tells a server that is alive from one that is not.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { serverOptions } from '../../src/server-options.js';
import { makeCertificate } from '../support/certificates.js';
import { commandWords, environmentOf, type Instruction, parseDockerfile } from '../support/dockerfile.js';
import { needing } from '../support/needed-program.js';
import { PROJECT_ROOT } from '../support/project.js';
import { cleanEnvironment, freePort, startServer } from '../support/server.js';

const DEPLOY = join(PROJECT_ROOT, 'docs', 'deploy');
/** Descriptors for as many connections as the server takes at most, and for itself. */
const OPEN_FILES_MIN = 65_536 + 320 + 8 * 64;

const steps = parseDockerfile(readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8'));
const lastStage = steps.slice(steps.findLastIndex(({ name }) => name === 'FROM'));
const inLastStage = (name: string): Instruction[] => lastStage.filter((step) => step.name === name);
const only = (name: string): string => {
  const found = inLastStage(name);
  assert.equal(found.length, 1, `${found.length} ${name}`);
  return found[0]?.rest ?? '';
};
const imageEnvironment = Object.assign({}, ...inLastStage('ENV').map(({ rest }) => environmentOf(rest)));

const knownVariables = new Set(serverOptions().map(({ envVar }) => envVar));
const defaultOf = (flag: string): unknown => serverOptions().find((option) => option.long === flag)?.defaultValue;

test('the image runs node itself, as a user without rights, and keeps its data in a volume', () => {
  assert.equal(steps.filter(({ name }) => name === 'FROM').length, 2);
  assert.equal(only('USER'), 'node');
  const command = commandWords(only('ENTRYPOINT'));
  assert.equal(command[0], 'node');
  assert.match(command[1] ?? '', /\/sabre-search\/sabre\.mjs$/);
  assert.equal(only('VOLUME'), imageEnvironment['SABRE_DATA_DIR']);
  assert.equal(only('EXPOSE'), '8108');
  assert.equal((defaultOf('--listen') as { port: number }).port, 8108);
  assert.ok(!only('HEALTHCHECK').includes('curl'));
  for (const name of Object.keys(imageEnvironment))
    if (name.startsWith('SABRE_')) assert.ok(knownVariables.has(name), name);
});

/** What the parts of a compose file may hold: what the specification of Compose calls them, as far as they are used here. */
const SERVICE_SHAPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  build: (value) => isRecordOf(value, (each) => typeof each === 'string'),
  image: (value) => typeof value === 'string',
  ports: (value) => isListOf(value, /^127\.0\.0\.1:\d+:\d+$/),
  environment: (value) => isRecordOf(value, (each) => typeof each === 'string'),
  volumes: (value) => isListOf(value, /^[a-z]+:\/[\w/]+$/),
  restart: (value) => ['no', 'always', 'on-failure', 'unless-stopped'].includes(String(value)),
  stop_grace_period: (value) => /^\d+s$/.test(String(value)),
  mem_limit: (value) => /^\d+[mg]$/.test(String(value)),
  ulimits: (value) => isRecordOf(value, Number.isInteger),
  read_only: (value) => typeof value === 'boolean',
  cap_drop: (value) => isListOf(value, /^[A-Z_]+$/),
  security_opt: (value) => isListOf(value, /^[a-z-]+:\w+$/),
};

function isRecordOf(value: unknown, isGood: (each: unknown) => boolean): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isGood);
}

const isListOf = (value: unknown, form: RegExp): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string' && form.test(each));

interface ComposeFile {
  readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

test('the compose file is of the form that Compose takes, and fits the image and the server', () => {
  const compose = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { strict: true }) as ComposeFile;
  assert.deepEqual(Object.keys(compose), ['services', 'volumes']);
  const { sabre = {} } = compose.services;
  for (const [key, value] of Object.entries(sabre)) {
    const isGood = SERVICE_SHAPES[key];
    assert.ok(isGood?.(value) === true, `${key}: ${JSON.stringify(value)}`);
  }
  const { build, environment, volumes, stop_grace_period, ulimits } = sabre as unknown as {
    build: { context: string; dockerfile: string };
    environment: Record<string, string>;
    volumes: string[];
    stop_grace_period: string;
    ulimits: { nofile: number };
  };
  assert.equal(join(DEPLOY, build.context), PROJECT_ROOT);
  assert.deepEqual(parseDockerfile(readFileSync(join(PROJECT_ROOT, build.dockerfile), 'utf8')), steps);
  for (const name of Object.keys(environment)) assert.ok(knownVariables.has(name), name);
  for (const volume of volumes) {
    const [name = '', path] = volume.split(':');
    assert.ok(name in compose.volumes, name);
    assert.equal(path, imageEnvironment['SABRE_DATA_DIR']);
  }
  assert.ok(Number.parseInt(stop_grace_period, 10) * 1000 > Number(defaultOf('--drain-timeout-ms')));
  assert.ok(ulimits.nofile >= OPEN_FILES_MIN);
});

/** The status and the words of the health check with the variables of a container. */
function checkHealth(variables: Readonly<Record<string, string>>): { status: number | null; said: string } {
  const options = { encoding: 'utf8', env: cleanEnvironment(variables), timeout: 60_000 } as const;
  const { status, stderr } = spawnSync(process.execPath, [join(DEPLOY, 'healthcheck.mjs')], options);
  return { status, said: stderr };
}

test('the health check finds a server that is alive where its variables say, and tells why it finds none', async () => {
  const server = await startServer();
  const { port } = server;
  try {
    // The server is a child of this process, which spawnSync holds up, and answers all the same.
    for (const listen of [`127.0.0.1:${port}`, `:${port}`, `${port}`, `0.0.0.0:${port}`])
      assert.deepEqual(checkHealth({ SABRE_LISTEN: listen }), { status: 0, said: '' }, listen);
  } finally {
    await server.dispose();
  }
  const { status, said } = checkHealth({ SABRE_LISTEN: `127.0.0.1:${port}` });
  assert.equal(status, 1);
  assert.match(said, new RegExp(`^http://127\\.0\\.0\\.1:${port}/health: .*ECONNREFUSED`));
});

test('the health check speaks TLS to a server that does', needing('openssl'), async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sabre-health-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const { certFile, keyFile } = makeCertificate(folder, 'health');
  const args = ['--tls-cert-file', certFile, '--tls-key-file', keyFile];
  const server = await startServer({ args, isSecure: true });
  try {
    const listen = `127.0.0.1:${server.port}`;
    assert.deepEqual(checkHealth({ SABRE_LISTEN: listen, SABRE_TLS_CERT_FILE: certFile }), { status: 0, said: '' });
    assert.equal(checkHealth({ SABRE_LISTEN: listen }).status, 1);
  } finally {
    await server.dispose();
  }
});

test('a check of a port where nobody listens ends', async () => {
  assert.equal(checkHealth({ SABRE_LISTEN: `[::1]:${await freePort()}` }).status, 1);
});
