// Sees how much memory the package's WebAssembly instance has, which the package itself does not tell, and can keep it
// from growing. Invariant: to be imported before the package is, and to change nothing else.

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

let limit = Infinity;
const grow = WebAssembly.Memory.prototype.grow;

WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
  if (this.buffer.byteLength + 65_536 * pages > limit) throw new RangeError('the limit of this test');
  return grow.call(this, pages);
};

/** Runs `action` while no memory can grow past `bytes`, as on a machine that has no more. */
export function withMemoryOf<T>(bytes: number, action: () => T): T {
  limit = bytes;
  try {
    return action();
  } finally {
    limit = Infinity;
  }
}
