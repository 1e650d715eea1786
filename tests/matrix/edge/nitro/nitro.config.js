// `experimental` is for Nitro 2; Nitro 3 loads .wasm files anyway.
export default { compatibilityDate: '2025-06-01', srcDir: '.', serverDir: '.', experimental: { wasm: true } };
