import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import derivedAfterAwait from './lint/derived-after-await.js';
import settings from './svelte.config.js';

export default ts.config(
  { ignores: ['src/api/types.ts'] }, // generated
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }], // to leave a key out of an object
      'svelte/no-useless-mustaches': 'off', // {' '} is the space between two elements
      'svelte/prefer-svelte-reactivity': 'off', // plain maps and sets are bookkeeping that no template reads
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig: settings } },
  },
  {
    files: ['**/*.svelte'],
    plugins: { screens: { rules: { 'derived-after-await': derivedAfterAwait } } },
    rules: { 'screens/derived-after-await': 'error' },
  },
);
