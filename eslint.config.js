// Lint rules: TypeScript's strict set, with type information for the package and the command.
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const globalsOf = (names) => Object.fromEntries(names.split(' ').map((name) => [name, 'readonly']));

export default tseslint.config(
  { ignores: ['build/', 'dist/', 'demo/dist/', 'site/dist/', 'site/.vitepress/cache/', '**/node_modules/'] },
  eslint.configs.recommended,
  {
    languageOptions: {
      globals: globalsOf(
        'process console performance URL setInterval clearInterval setTimeout clearTimeout Buffer ' +
          'indexedDB caches AbortSignal MessageChannel Response self WebAssembly setImmediate fetch',
      ),
    },
  },
  {
    files: ['demo/service-worker.js'],
    languageOptions: { globals: globalsOf('self caches fetch __VERSION__ __FILES__') },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { require: 'readonly', module: 'writable' } },
  },
  { files: ['**/*.ts', '**/*.tsx'], extends: [tseslint.configs.strict], rules: { 'no-undef': 'off' } },
  {
    files: ['js/{src,redis,redisbloom,file,cli}/**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // Getters are taken off prototypes on purpose, bytes compared as text, and errors of users thrown on as they came.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/only-throw-error': 'off',
    },
  },
  {
    // The page has no filter of its own: events come from the library, and the bits of a hash are not mixed here.
    files: ['demo/src/**/*.ts', 'demo/src/**/*.tsx'],
    ignores: ['demo/src/core/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ group: ['cuckoofilter-wasm*', '*.wasm*'], allowTypeImports: true }] },
      ],
    },
  },
  {
    files: ['demo/src/**/*.ts', 'demo/src/**/*.tsx'],
    // Bits are turned over and compared there, and sample keys drawn.
    ignores: ['demo/src/model/picture/bits.ts', 'demo/src/model/samples.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: "MemberExpression[object.name='Math'][property.name='imul']", message: 'No hash here.' },
        { selector: 'BinaryExpression[operator="^"]', message: 'No other home is computed here.' },
      ],
    },
  },
);
