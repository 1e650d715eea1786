// What the package build puts in place of `#core`, `#scalable` and so on (scripts/build.mjs): the bytes of a WebAssembly
// module or part as text, or, for hosts that compile modules which are imported, the compiled module.
declare module '#*' {
  const inlined: string | WebAssembly.Module;
  export default inlined;
}
