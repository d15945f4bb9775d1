/**
 * Builds the programs of tantivy and Lucene, below a folder outside of the sources. What is missing for one is said in its
 * place.
 */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../test/support/project.js';
import type { Program } from './program-contestant.js';

const SOURCES = join(PROJECT_ROOT, 'perf', 'peers');
const JVM_FOLDER = '/usr/lib/jvm';
/** What Lucene 10 needs. */
const JAVA_MIN = 21;

export interface BuiltEngine extends Program {
  readonly name: string;
  readonly version: string;
}

/** Why an engine cannot take part. */
export interface MissingEngine {
  readonly name: string;
  readonly missing: string;
}

/** Its standard output; null when it is not there or fails. */
function outputOf(command: string, parameters: readonly string[], options: SpawnSyncOptions = {}): string | null {
  const { status, stdout } = spawnSync(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  return status === 0 ? stdout.toString().trim() : null;
}

/**
 * Runs `build` unless these sources of the folder `name` were built into `target` before. (Time stamps do not tell: git
 * writes a file anew when it comes back to a version.) Returns whether it is built. `toolchain`: what it is built with.
 */
function buildOnce(name: string, target: string, toolchain: string, build: (sources: string) => boolean): boolean {
  const sources = join(SOURCES, name);
  const hash = createHash('sha1').update(toolchain);
  for (const path of readdirSync(sources, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(sources, path);
    if (statSync(file).isFile()) hash.update(readFileSync(file));
  }
  const digest = hash.digest('hex');
  const stamp = join(target, 'built.sha1');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return true;
  process.stderr.write(`building perf/peers/${name}\n`);
  if (!build(sources)) return false;
  writeFileSync(stamp, digest);
  return true;
}

const versionIn = (file: string, pattern: RegExp): string =>
  pattern.exec(readFileSync(join(SOURCES, file), 'utf8'))?.[1] ?? 'unknown';

/** Errors: none; the reason is in the answer. */
export function buildTantivy(cache: string): BuiltEngine | MissingEngine {
  const name = 'tantivy';
  const compiler = outputOf('rustc', ['--version']);
  if (compiler === null) return { name, missing: 'rustc and cargo are not installed' };
  const target = join(cache, name);
  const env = { ...process.env, CARGO_TARGET_DIR: target, RUSTFLAGS: '-C target-cpu=native' };
  const isBuilt = buildOnce(name, target, compiler, (cwd) => {
    return outputOf('cargo', ['build', '--release', '--locked', '--quiet'], { cwd, env }) !== null;
  });
  if (!isBuilt) return { name, missing: 'cargo could not build perf/peers/tantivy' };
  const version = `${name} ${versionIn('tantivy/Cargo.toml', /^tantivy = "=?([\d.]+)"/m)} (${compiler}, target-cpu=native)`;
  return { name, version, command: join(target, 'release', 'tantivy-peer'), arguments: [] };
}

/** The newest JDK of those installed, with its version; null when none is new enough for Lucene. */
function findJdk(): { readonly home: string; readonly version: string } | null {
  const installed = existsSync(JVM_FOLDER) ? readdirSync(JVM_FOLDER).map((name) => join(JVM_FOLDER, name)) : [];
  const homes = [process.env['JAVA_HOME'], ...installed].filter((home) => home !== undefined);
  const jdks = homes.flatMap((home) => {
    if (!existsSync(join(home, 'bin', 'javac')) || !existsSync(join(home, 'release'))) return [];
    const release = readFileSync(join(home, 'release'), 'utf8');
    const version = /^JAVA_VERSION="([^"]+)"/m.exec(release)?.[1] ?? '0';
    return [{ home, version, major: Number.parseInt(version, 10) }];
  });
  const [newest] = jdks.filter(({ major }) => major >= JAVA_MIN).sort((a, b) => b.major - a.major);
  return newest ?? null;
}

/** Errors: none; the reason is in the answer. */
export function buildLucene(cache: string): BuiltEngine | MissingEngine {
  const name = 'Lucene';
  const jdk = findJdk();
  if (jdk === null) return { name, missing: `no JDK ${JAVA_MIN} or newer in JAVA_HOME or ${JVM_FOLDER}` };
  const target = join(cache, 'lucene');
  const env = { ...process.env, JAVA_HOME: jdk.home };
  const goals = ['--batch-mode', '--quiet', `-Dpeers.build=${target}`, 'package'];
  const isBuilt = buildOnce('lucene', target, jdk.version, (cwd) => outputOf('mvn', goals, { cwd, env }) !== null);
  if (!isBuilt) return { name, missing: 'maven is not installed or could not build perf/peers/lucene' };
  const version = `${name} ${versionIn('lucene/pom.xml', /<lucene.version>([^<]+)</)} (Java ${jdk.version}, vector module on)`;
  const flags = ['--add-modules', 'jdk.incubator.vector', '--enable-native-access=ALL-UNNAMED', '-Xms2g', '-Xmx2g'];
  const classPath = [join(target, 'classes'), join(target, 'dependency', '*')].join(':');
  return {
    name,
    version,
    command: join(jdk.home, 'bin', 'java'),
    arguments: [...flags, '-cp', classPath, 'LucenePeer'],
  };
}
