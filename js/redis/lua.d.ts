/** The program that the build makes of the files of lua/, as text, and its SHA-1. */
declare module '*/program.lua' {
  export const text: string;
  export const sha1: string;
}
