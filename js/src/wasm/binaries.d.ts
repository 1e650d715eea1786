// What the package build puts in place of these names: the WebAssembly modules' bytes, as text (scripts/build.mjs).
declare module '#core' {
  const binary: string;
  export default binary;
}
declare module '#expiring' {
  const binary: string;
  export default binary;
}
declare module '#scalable' {
  const binary: string;
  export default binary;
}
declare module '#trace' {
  const binary: string;
  export default binary;
}
