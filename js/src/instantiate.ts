// What Emscripten's glue calls in place of WebAssembly.instantiate (scripts/build.mjs puts it there): the same, at once.

/** Calls the one `then` of the result before it returns, so that a filter can be made without waiting. */
export function instantiateNow(
  module: WebAssembly.Module,
  imports: WebAssembly.Imports,
): { then(receive: (result: { instance: WebAssembly.Instance }) => void): void } {
  const instance = new WebAssembly.Instance(module, imports);
  return { then: (receive) => receive({ instance }) };
}
