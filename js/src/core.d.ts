// What the package build puts in place of `#core` and `#core/wasm`: Emscripten's glue and the module's bytes.
declare module '#core' {
  /** Emscripten's factory: instantiates `wasm` and puts what the bindings offer beside it, before it returns. */
  export default function createCore(module: { wasm: WebAssembly.Module }): unknown;
}

declare module '#core/wasm' {
  const binary: string;
  export default binary;
}
