// Objects that `using` disposes of, in engines with and without Symbol.dispose.

/** Makes `dispose` of `target`, an object or a prototype, what `using` calls. */
export function makeDisposable(target: { dispose(): void }): void {
  // Where the engine has no Symbol.dispose, `using` is not there to look for it either, but polyfills do by this name.
  Object.defineProperty(target, Symbol.dispose ?? Symbol.for('Symbol.dispose'), {
    value: target.dispose,
    configurable: true,
    writable: true,
  });
}
