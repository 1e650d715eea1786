// Sees how much memory the package's WebAssembly instance has, which the package itself does not tell.
// Invariant: to be imported before the package is, and to change nothing else.

const memories = new Set<WebAssembly.Memory>();
const Instance = WebAssembly.Instance;

WebAssembly.Instance = new Proxy(Instance, {
  construct(target, parameters: ConstructorParameters<typeof Instance>) {
    const made = new target(...parameters);
    for (const value of Object.values(made.exports))
      if (value instanceof WebAssembly.Memory) memories.add(value);
    return made;
  },
});

/** Bytes of all instances' memories together; 0 before the first filter. */
export function memoryBytes(): number {
  return [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
}
