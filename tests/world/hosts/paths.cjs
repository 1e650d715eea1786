// Puts paths in place of the package's name, because workers have no import maps. CommonJS, so that Jest and Node load it.
module.exports = (text) =>
  text.replace(/'cuckoofilter-wasm(\/\w+)?'/g, (_, entry = '/index') => `'${entry}.js'`);
