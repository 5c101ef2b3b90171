import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { parse } from 'smol-toml';
import { defineConfig, type Plugin } from 'vite';
import { SECTIONS } from './src/languages/sections.ts';

const PAGES = ['index', 'terminal', 'dealer', 'pit', 'display', 'records', 'sign-in'];

/** The server's sentences by their dotted keys, only the sections that screens say. */
function sentences(): Plugin {
  return {
    name: 'sentences',
    load(id) {
      if (!id.endsWith('.toml')) return null;
      this.addWatchFile(id);
      const found: Record<string, string> = {};
      const file = parse(readFileSync(id, 'utf-8'));
      for (const section of SECTIONS) flatten(section, file[section] ?? {}, found);
      return { code: `export default ${JSON.stringify(found)}`, map: null };
    },
  };
}

function flatten(key: string, value: unknown, into: Record<string, string>): void {
  if (typeof value !== 'object' || value === null) {
    into[key] = String(value);
    return;
  }
  for (const [name, each] of Object.entries(value)) flatten(`${key}.${name}`, each, into);
}

export default defineConfig({
  appType: 'mpa',
  plugins: [svelte(), sentences()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0, // nothing inline: the content security policy allows our own files only
    cssMinify: 'lightningcss',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: PAGES.map((page) => `${page}.html`) },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8333', ws: true } } },
});
