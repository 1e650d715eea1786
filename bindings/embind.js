// embind's JavaScript side for functions and constants of numbers, which are all that embind.cpp binds: 3 kB less,
// compressed, than the general one, which also knows classes, strings, overloads and types that are registered late.
// Emscripten puts it into the glue (--js-library in CMakeLists.txt). Invariant: arguments are numbers or booleans, which
// WebAssembly itself converts; what comes back is a number, but for the types registered as others here.
addToLibrary({
  /** By type: what makes of a result the value that JavaScript sees, where it is not the number itself. */
  $embindResults: {},
  $embindName: (text) => {
    let name = '';
    for (let code; (code = HEAPU8[text++]) !== 0;) name += String.fromCharCode(code);
    return name;
  },

  // Emscripten knows the signatures and wants every parameter, the last ones too that nothing here needs.
  _embind_register_void: (type, name) => {},
  _embind_register_float: (type, name, size) => {},
  _embind_register_bool__deps: ['$embindResults'],
  _embind_register_bool: (type, name, trueValue, falseValue) => {
    embindResults[type] = Boolean;
  },
  _embind_register_integer__deps: ['$embindResults'],
  _embind_register_integer: (type, name, size, least, greatest) => {
    // WebAssembly gives 32 bits as a signed number.
    if (least === 0) embindResults[type] = (result) => result >>> 0;
  },
  _embind_register_constant__deps: ['$embindName'],
  _embind_register_constant: (name, type, value) => {
    Module[embindName(name)] = value;
  },
  _embind_register_function__deps: ['$embindName', '$embindResults', '$getWasmTableEntry'],
  _embind_register_function: (name, count, types, signature, invoker, target, isAsync, isNonnullReturn) => {
    const call = getWasmTableEntry(invoker);
    const convert = embindResults[HEAPU32[types >> 2]] ?? ((result) => result);
    Module[embindName(name)] = (...given) => convert(call(target, ...given));
  },
});
