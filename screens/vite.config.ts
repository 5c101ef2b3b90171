import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { parse } from 'smol-toml';
import { defineConfig, type Plugin } from 'vite';
import { SECTIONS, STAFF_SECTIONS } from './src/languages/sections.ts';

/** The pages by their names, with the folders of what they show. */
const PAGES: Record<string, string> = {
  index: 'lobby',
  terminal: 'terminal',
  dealer: 'dealer',
  pit: 'pit',
  display: 'display',
  records: 'records',
  'sign-in': 'sign-in',
};
const HERE = import.meta.dirname;

/** Makes the HTML of every page of page.html, for the build and for the server that follows edits. */
function pages(): Plugin {
  const html = (folder: string): string =>
    readFileSync(join(HERE, 'page.html'), 'utf-8').replace('/PAGE/', `/${folder}/`);
  const folderOf = (path: string): string | undefined => PAGES[basename(path, '.html') || 'index'];
  return {
    name: 'pages',
    resolveId: (id) => (id.endsWith('.html') && folderOf(id) ? join(HERE, basename(id)) : null),
    load(id) {
      const folder = id.endsWith('.html') ? folderOf(id) : undefined;
      if (folder === undefined) return null;
      this.addWatchFile(join(HERE, 'page.html'));
      return html(folder);
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [path = '/'] = (request.originalUrl ?? '/').split('?');
        const folder = dirname(path) === '/' ? folderOf(path) : undefined;
        if (folder === undefined) {
          next();
          return;
        }
        void server.transformIndexHtml(path, html(folder)).then((page) => {
          response.setHeader('content-type', 'text/html; charset=utf-8');
          response.end(page);
        }, next);
      });
    },
  };
}

/** The server's sentences by their dotted keys, only the sections that screens say; or what a language says of itself. */
function sentences(): Plugin {
  return {
    name: 'sentences',
    load(id) {
      const [path = '', part] = id.split('?');
      if (!path.endsWith('.toml')) return null;
      this.addWatchFile(path);
      const found: Record<string, unknown> = {};
      const file = parse(readFileSync(path, 'utf-8'));
      if (part === 'language') Object.assign(found, file.language);
      else for (const section of SECTIONS) flatten(section, file[section] ?? {}, found);
      return { code: `export default ${JSON.stringify(found)}`, map: null };
    },
  };
}

/** The words of the screens in two parts: what everybody reads, and what only staff do. */
function words(): Plugin {
  return {
    name: 'words',
    enforce: 'pre',
    load(id) {
      const [file = '', part] = id.split('?');
      if (part !== 'everybody' && part !== 'staff') return null;
      this.addWatchFile(file);
      const all = Object.entries(JSON.parse(readFileSync(file, 'utf-8')) as Record<string, unknown>);
      const own = all.filter(([section]) => STAFF_SECTIONS.includes(section) === (part === 'staff'));
      if (part === 'staff') own.push(['deed', deeds(file)]);
      return { code: `export default ${JSON.stringify(Object.fromEntries(own))}`, moduleType: 'js', map: null };
    },
  };
}

/** What people did, by the kind of the command: only staff read it, and the server says it in dossiers too. */
function deeds(words: string): unknown {
  const file = join(HERE, '../src/thirdcard/languages', basename(words).replace('.json', '.toml'));
  return parse(readFileSync(file, 'utf-8')).deed;
}

function flatten(key: string, value: unknown, into: Record<string, unknown>): void {
  if (typeof value !== 'object' || value === null) into[key] = String(value);
  else if ('other' in value && 'by' in value) into[key] = value;
  else for (const [name, each] of Object.entries(value)) flatten(`${key}.${name}`, each, into);
}

export default defineConfig({
  appType: 'custom', // pages() serves the HTML
  plugins: [svelte(), sentences(), words(), pages()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0, // nothing inline: the content security policy allows our own files only
    cssMinify: 'lightningcss',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: Object.keys(PAGES).map((page) => `${page}.html`) },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8333', ws: true } } },
});
