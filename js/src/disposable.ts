// What `using` needs, for programs whose compiler or libraries do not know it: TypeScript before 5.2 has no library for it.
// Invariant: where there is one, this adds nothing to it.
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}

/** Makes `dispose` of `target`, an object or a prototype, what `using` calls. */
export function makeDisposable(target: { dispose(): void }): void {
  // Where the engine has no Symbol.dispose, `using` is not there to look for it either, but polyfills do by this name.
  Object.defineProperty(target, Symbol.dispose ?? Symbol.for('Symbol.dispose'), {
    value: target.dispose,
    configurable: true,
    writable: true,
  });
}
