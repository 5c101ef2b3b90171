import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { parse } from 'smol-toml';
import { defineConfig, type Plugin } from 'vite';
import { PARTS, SECTIONS, SENTENCES_OF, type Part } from './src/languages/sections.ts';

/** The pages by their names, with the folders of what they show. */
const PAGES: Record<string, string> = {
  index: 'lobby',
  terminal: 'terminal',
  dealer: 'dealer',
  pit: 'pit',
  display: 'display',
  records: 'records',
  training: 'training',
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

/** The server's sentences by their dotted keys: the sections that screens say, apart what only staff read; or what a
 * language says of itself. */
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
      else for (const section of SECTIONS) flatten(section, file[section] ?? {}, found, part);
      return { code: `export default ${JSON.stringify(found)}`, map: null };
    },
  };
}

/** The words of the screens in parts: one that every page loads, and those that a page names. */
function words(): Plugin {
  const others: string[] = Object.values(PARTS).flat();
  return {
    name: 'words',
    enforce: 'pre',
    load(id) {
      const [file = '', part = ''] = id.split('?');
      if (!file.endsWith('.json') || (part !== 'everybody' && !(part in PARTS))) return null;
      this.addWatchFile(file);
      const all = { ...(JSON.parse(readFileSync(file, 'utf-8')) as Record<string, unknown>), deed: deeds(file) };
      const own = Object.entries(all).filter(([section]) =>
        part === 'everybody' ? !others.includes(section) : PARTS[part as Part].includes(section),
      );
      return { code: `export default ${JSON.stringify(Object.fromEntries(own))}`, moduleType: 'js', map: null };
    },
  };
}

/** What people did, by the kind of the command, as the server's file of the same language has it. */
function deeds(words: string): unknown {
  const file = join(HERE, '../src/thirdcard/languages', basename(words).replace('.json', '.toml'));
  return parse(readFileSync(file, 'utf-8')).deed;
}

/** Puts the sentences of a section that come with a part, or with none, under their dotted keys. */
function flatten(key: string, value: unknown, into: Record<string, unknown>, part: string | undefined): void {
  if (typeof value === 'object' && value !== null && !('other' in value && 'by' in value)) {
    for (const [name, each] of Object.entries(value)) flatten(`${key}.${name}`, each, into, part);
  } else if (Object.entries(SENTENCES_OF).find(([, those]) => those.test(key))?.[0] === part) into[key] = value;
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
