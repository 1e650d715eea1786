// What the package build puts in place of these names: the WebAssembly modules' bytes, as text (scripts/build.mjs).
declare module '#core' {
  const inlined: string | WebAssembly.Module;
  export default inlined;
}
declare module '#expiring' {
  const inlined: string | WebAssembly.Module;
  export default inlined;
}
declare module '#scalable' {
  const inlined: string | WebAssembly.Module;
  export default inlined;
}
declare module '#trace' {
  const inlined: string | WebAssembly.Module;
  export default inlined;
}
