/**
 * Loads the build of uWebSockets.js that fits this Node and this system.
 *
 * The library is an addon in machine code, so a build runs only with the ABI of Node that it was made for, and only
 * where the C library is as new as the one it was linked with. Two versions are installed under names of their own, and
 * the one that does not fit is never loaded. Only server.ts and apps.ts call this.
 */

import type uWS from 'uWebSockets.js-20.51';
import { createRequire } from 'node:module';

/** Largest request head (request line and headers) that is parsed; a larger one is answered with 431. */
const REQUEST_HEAD_BYTES_MAX = 65536;

/** What both builds have in common is what the older one declares. */
export type Uws = Omit<typeof uWS, 'App' | 'SSLApp'> & { App(): App; SSLApp(options: uWS.AppOptions): App };
/** Names an app in another thread. */
export type AppDescriptor = number;

/** With what the type declarations lack. */
export interface App extends uWS.TemplatedApp {
  getDescriptor(): AppDescriptor;
  /** Connections that this app accepts go to its children in turn, each on its own thread, and none to this app itself. */
  addChildAppDescriptor(descriptor: AppDescriptor): unknown;
  /** What the child has already stays there. */
  removeChildAppDescriptor(descriptor: AppDescriptor): unknown;
}
export type { HttpRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js-20.51';

/** What decides which build fits. `glibc` is '' where there is none: on musl, on macOS, on Windows. */
export interface System {
  readonly node: string;
  readonly abi: string;
  readonly platform: string;
  readonly arch: string;
  readonly glibc: string;
}

interface Build {
  /** The name that package.json gives this version of @uwsjs/core. */
  readonly name: string;
  /** Major version of Node by ABI. Only those that are tested are named. */
  readonly nodes: Readonly<Record<string, number>>;
  /** Least glibc, by the symbols that the binaries for Linux ask for. */
  readonly glibcMin: string;
}

/** The newest first: where both fit, it is taken. */
const BUILDS: readonly Build[] = [
  { name: 'uWebSockets.js-20.69', nodes: { 127: 22, 137: 24, 147: 26 }, glibcMin: '2.38' },
  { name: 'uWebSockets.js-20.51', nodes: { 115: 20, 127: 22 }, glibcMin: '2.27' },
];
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

/** No build fits, or the one that does is not installed; the message is for the person who starts the server. */
export class UnsupportedSystemError extends Error {
  override readonly name = 'UnsupportedSystemError';
}

/** Whether version `found` of glibc, such as 2.36, is `least` or later. */
function isAtLeast(found: string, least: string): boolean {
  const [foundMajor = 0, foundMinor = 0] = found.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return foundMajor > leastMajor || (foundMajor === leastMajor && foundMinor >= leastMinor);
}

function describeSystem({ node, abi, platform, arch, glibc }: System): string {
  const libc = platform === 'linux' ? `, ${glibc === '' ? 'no glibc' : `glibc ${glibc}`}` : '';
  return `Node ${node} (ABI ${abi}), ${platform}-${arch}${libc}`;
}

function describeNeeds(): string {
  const needs = BUILDS.map(({ nodes, glibcMin }) => {
    const majors = Object.values(nodes);
    return `Node ${majors.slice(0, -1).join(', ')} or ${majors.at(-1)} (on Linux with glibc ${glibcMin} or later)`;
  });
  return `${needs.join(', or ')}, on ${PLATFORMS.join(', ')}`;
}

/** Returns the name of the build that fits `system`. Throws UnsupportedSystemError when none does. */
export function chooseBuild(system: System): string {
  const { abi, platform, arch, glibc } = system;
  const found = BUILDS.find(
    ({ nodes, glibcMin }) => abi in nodes && (platform !== 'linux' || isAtLeast(glibc, glibcMin)),
  );
  if (found !== undefined && PLATFORMS.includes(`${platform}-${arch}`)) return found.name;
  throw new UnsupportedSystemError(
    `the HTTP library cannot run here. There is: ${describeSystem(system)}. Needed is: ${describeNeeds()}`,
  );
}

/** Returns the version of the glibc that this process runs with, '' without one. */
function glibcVersion(): string {
  const { report } = process;
  if (process.platform !== 'linux' || report === undefined) return '';
  // Else the report would ask the name service for the peer of every open connection.
  Object.assign(report, { excludeNetwork: true });
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime ?? '';
}

function thisSystem(): System {
  const { version, versions, platform, arch } = process;
  return { node: version.slice(1), abi: versions.modules, platform, arch, glibc: glibcVersion() };
}

/** Loads the build that fits. Throws UnsupportedSystemError when none does, or when it does not load. */
export function loadUws(): Uws {
  const system = thisSystem();
  const name = chooseBuild(system);
  // The addon reads it once, while it is being loaded.
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(REQUEST_HEAD_BYTES_MAX);
  try {
    return createRequire(import.meta.url)(name) as unknown as Uws;
  } catch (error) {
    // The package lists what it supports, and then the reason in one line.
    const lines = error instanceof Error ? error.message.split('\n') : [String(error)];
    const reason = lines.filter((line) => line.startsWith('Error: '))[0] ?? lines[0];
    throw new UnsupportedSystemError(
      `the HTTP library is not installed for this Node: npm installs the binary of the Node that runs it. Install again ` +
        `with this one (npm ci, or npm install once node_modules is removed). There is: ${describeSystem(system)}. ` +
        `${name}: ${reason}`,
    );
  }
}
