// What the package build puts in place of `#core`: the WebAssembly module's bytes, as text (scripts/build.mjs).
declare module '#core' {
  const binary: string;
  export default binary;
}
