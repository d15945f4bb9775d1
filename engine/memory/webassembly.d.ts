/**
 * The part of the WebAssembly JavaScript API that the engine uses; Node's type definitions leave it to the DOM library.
 * Spec: https://webassembly.github.io/threads/js-api/
 */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared: true });
    readonly buffer: SharedArrayBuffer;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory>>);
    readonly exports: Record<string, unknown>;
  }
}
