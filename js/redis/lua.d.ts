/** The programs that the build makes of the files of lua/: each as text, and its SHA-1. */
declare module '*/program.lua' {
  /** What is done for keys, and with whole shards. */
  export const keys: { readonly text: string; readonly sha1: string };
  export const whole: typeof keys;
}
