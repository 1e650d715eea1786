// Jest's environment for Node, whose global object has no interceptors: with them, each use of `Math` or `performance` in the
// package asks two objects, which makes tests of millions of calls several times as slow.
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const { createContext } = vm;

module.exports = class extends TestEnvironment {
  constructor(...settings) {
    // From Node 22.8 on; the tests also pass without it.
    vm.createContext = () => createContext(vm.constants?.DONT_CONTEXTIFY);
    try {
      super(...settings);
    } finally {
      vm.createContext = createContext;
    }
  }
};
