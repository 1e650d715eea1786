// What the package build puts in place of `#core` and `#core/wasm`: Emscripten's glue and the module's bytes.
declare module '#core' {
  /** Emscripten's factory. Synchronous, as the module is compiled without waiting. */
  export default function createCore(hooks: {
    instantiateWasm(
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance) => void,
    ): WebAssembly.Exports;
  }): unknown;
}

declare module '#core/wasm' {
  const binary: string;
  export default binary;
}
