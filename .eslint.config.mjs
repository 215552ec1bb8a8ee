import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const node = { process: 'readonly', URL: 'readonly', require: 'readonly', module: 'writable' };

export default tseslint.config(
  {
    ignores: [
      'node_modules/',
      'coverage/',
      '.data/',
      'infra/fleet/webkit/host/',
      'infra/verification/bench/bare-host.js',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `||` is how an empty variable counts as unset; the others only differ in taste.
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      // Interfaces here are of closures, which have no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // `x['member']` is the language's way past `protected`, used where a client's own calls are extended.
      '@typescript-eslint/dot-notation': ['error', { allowProtectedClassPropertyAccess: true }],
      'no-console': 'error',
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 12],
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.test.ts'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-unsafe-type-assertion': 'off',
    },
  },
  // A script has no other way to edit as a person does, with the page's own events, than `document.execCommand`.
  {
    files: ['infra/fleet/webkit/page-scripts/**/*.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  // Tables: one row after the other.
  { files: ['contracts/routes/*.ts'], rules: { 'max-lines-per-function': 'off' } },
  {
    files: ['infra/fleet/webkit/testing/cases/*.cases.ts'],
    rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' },
  },
  { files: ['infra/verification/**/*.ts'], rules: { 'no-console': 'off' } },
  { files: ['**/*.mjs', '**/*.cjs'], languageOptions: { globals: node } },
);
