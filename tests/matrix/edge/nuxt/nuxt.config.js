export default {
  compatibilityDate: '2025-06-01',
  telemetry: false,
  nitro: { experimental: { wasm: true } },
};
