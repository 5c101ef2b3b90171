/** Modules of the screens as node can run them: types stripped, runes compiled, names of modules resolved. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileModule } from 'svelte/compiler';

const here = dirname(fileURLToPath(import.meta.url));
const sources = resolve(here, '../src');

/** Import modules of src that know each other, by path; the first one. */
export async function compiled(...names) {
  const folder = mkdtempSync(join(tmpdir(), 'screens-'));
  for (const name of names) {
    const plain = stripTypeScriptTypes(readFileSync(join(sources, name), 'utf-8'), { mode: 'transform' });
    const { js } = compileModule(plain, { generate: 'client', filename: name });
    writeFileSync(
      join(folder, place(name)),
      js.code
        .replace(/'\.\/([\w.]+)\.ts'/g, (_, each) => `'./${place(`${each}.ts`)}'`)
        .replace(/from ["'](svelte[^"']*)["']/g, (_, each) => `from '${import.meta.resolve(each)}'`)
        .replace(/import ["'](svelte[^"']*)["']/g, (_, each) => `import '${import.meta.resolve(each)}'`),
    );
  }
  return import(pathToFileURL(join(folder, place(names[0]))).href);
}

function place(name) {
  return `${basename(name).replace(/\.(svelte\.)?ts$/, '')}.mjs`;
}
