// What `using` needs, for programs whose compiler or libraries do not know it: TypeScript before 5.2 has no library for it.
// Invariant: where there is one, this adds nothing to it.
export {};

declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}
