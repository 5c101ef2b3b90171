/** The words of the screens and the server's sentences, in the language that somebody chose. */
import type { Message } from '../api/types.ts';
import type { Refused } from './api.ts';
import type { Part } from '../languages/sections.ts';
import type en from '../languages/en.json';

/** A word of the screens: its section and its name there. */
export type Key = {
  [Section in keyof typeof en]: `${Section & string}.${keyof (typeof en)[Section] & string}`;
}[keyof typeof en];
export type Params = Record<string, string | number>;
type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { by?: string };
type Words = Record<string, Record<string, string | Plural>>;
type Loaders = Record<string, () => Promise<unknown>>;

interface Spoken {
  code: string;
  words: Words;
  sentences: Record<string, string | Plural>;
  plural: Intl.PluralRules;
  number: Intl.NumberFormat;
}

/** What a language says of itself: its name, and, until a native speaker has read it, that nobody has. */
interface Language {
  name: string;
  unreviewed?: string;
}

const KEPT = 'thirdcard-language';
const WAGER = /^[a-z]+(-[a-z]+)*$/; // an id, where a sentence of the server names a wager
const AMOUNT = /^\d+\.\d{2,3}$/; // as the server writes amounts
const LANGUAGES = byCode(
  import.meta.glob<Language>('../../../src/thirdcard/languages/*.toml', {
    query: '?language',
    eager: true,
    import: 'default',
  }),
);
const WORDS: Loaders = byCode(import.meta.glob('../languages/*.json', { query: '?everybody', import: 'default' }));
const WORDS_OF: Record<Part, Loaders> = {
  terminal: byCode(import.meta.glob('../languages/*.json', { query: '?terminal', import: 'default' })),
  staff: byCode(import.meta.glob('../languages/*.json', { query: '?staff', import: 'default' })),
  cases: byCode(import.meta.glob('../languages/*.json', { query: '?cases', import: 'default' })),
  records: byCode(import.meta.glob('../languages/*.json', { query: '?records', import: 'default' })),
  reports: byCode(import.meta.glob('../languages/*.json', { query: '?reports', import: 'default' })),
  lobby: byCode(import.meta.glob('../languages/*.json', { query: '?lobby', import: 'default' })),
  display: byCode(import.meta.glob('../languages/*.json', { query: '?display', import: 'default' })),
  tour: byCode(import.meta.glob('../languages/*.json', { query: '?tour', import: 'default' })),
  training: byCode(import.meta.glob('../languages/*.json', { query: '?training', import: 'default' })),
  trainer: byCode(import.meta.glob('../languages/*.json', { query: '?trainer', import: 'default' })),
  deeds: byCode(import.meta.glob('../languages/*.json', { query: '?deeds', import: 'default' })),
};
const SENTENCES: Loaders = byCode(import.meta.glob('../../../src/thirdcard/languages/*.toml', { import: 'default' }));
const SENTENCES_OF: Partial<Record<Part, Loaders>> = {
  cases: byCode(import.meta.glob('../../../src/thirdcard/languages/*.toml', { query: '?cases', import: 'default' })),
  deeds: byCode(import.meta.glob('../../../src/thirdcard/languages/*.toml', { query: '?deeds', import: 'default' })),
  training: byCode(
    import.meta.glob('../../../src/thirdcard/languages/*.toml', { query: '?training', import: 'default' }),
  ),
};
const USUAL = document.documentElement.lang; // the page says which language its floor usually speaks

let parts: Part[] = []; // of the words, beside those of every page
let spoken = $state.raw<Spoken | null>(null);

/** The code of the language that is spoken now. */
export function language(): string {
  return spoken?.code ?? 'en';
}

/** The languages of this floor by their codes, each in its own words. */
export function languages(): [string, Language][] {
  const named = document.documentElement.dataset.languages?.split(' ') ?? Object.keys(LANGUAGES);
  return named.flatMap((code) => (LANGUAGES[code] ? [[code, LANGUAGES[code]]] : []));
}

/** Say on this page what these parts of the words have, beside what every page says. */
export function read(more: Part[]): void {
  parts = more;
}

/** Say a part of the words as well that a page needs only now. */
export async function readAlso(part: Part): Promise<void> {
  if (parts.includes(part)) return;
  parts = [...parts, part];
  await speak(language());
}

/** Speak a language from now on. */
export async function speak(code: string): Promise<void> {
  const load = async (loaders: Loaders[]): Promise<object> =>
    Object.assign({}, ...(await Promise.all(loaders.map((each) => each[code]?.())))) as object;
  const [words, sentences] = await Promise.all([
    load([WORDS, ...parts.map((part) => WORDS_OF[part])]),
    load([SENTENCES, ...parts.map((part) => SENTENCES_OF[part] ?? {})]),
  ]);
  spoken = {
    code,
    words: words as Words,
    sentences: sentences as Spoken['sentences'],
    plural: new Intl.PluralRules(code),
    number: new Intl.NumberFormat(code),
  };
  document.documentElement.lang = code;
}

/** Speak the language that somebody chose, in this browser also the next time. */
export async function choose(code: string): Promise<void> {
  await speak(code);
  keep(code);
}

/** The language that the address names or that was chosen here before, else that of the browser, else that of the floor. */
export function wanted(): string {
  const codes = languages().map(([code]) => code);
  const named = new URLSearchParams(location.search).get('language');
  if (named !== null && codes.includes(named)) keep(named);
  const before = kept();
  if (before !== null && codes.includes(before)) return before;
  for (const tag of navigator.languages) {
    const found = codes.find((code) => isSame(code, tag));
    if (found !== undefined) return found;
  }
  return codes.includes(USUAL) ? USUAL : (codes[0] ?? 'en');
}

/** How a voice speaks the language: as the browser asks for it, such as zh-HK, else as most people do. */
export function voice(): string {
  const usual = new Intl.Locale(language()).maximize();
  return navigator.languages.find((tag) => isSame(language(), tag)) ?? `${usual.language}-${usual.region ?? ''}`;
}

/** Whether a tag of a browser, such as zh-HK, asks for a language. */
function isSame(code: string, tag: string): boolean {
  const [own, asked] = [new Intl.Locale(code).maximize(), new Intl.Locale(tag).maximize()];
  return own.language === asked.language && own.script === asked.script;
}

/** What files have, by the language that they are named after. */
function byCode<T>(files: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(files).map(([path, each]) => [/([\w-]+)\.\w+$/.exec(path)?.[1] ?? '', each]),
  );
}

/** A word of the screens. A parameter `count` chooses among its plural forms. */
export function t(key: Key, params: Params = {}): string {
  const [section, name] = key.split('.', 2) as [string, string];
  return formed(spoken?.words[section]?.[name] ?? key, params);
}

/** A sentence of the server; a parameter such as `@hand.player` is itself the key of one. */
export function say(key: string, params: Params | Message['params'] = {}): string {
  const given = Array.isArray(params) ? Object.fromEntries(params) : params;
  const found = spoken?.sentences[key];
  if (found === undefined) return key;
  const said = Object.entries(given).map(([name, value]) => [name, aloud(name, value)]);
  return formed(found, Object.fromEntries(said) as Params);
}

/** A message of the server. */
export function sayMessage(message: Message): string {
  return say(message.key, message.params);
}

/** Whether the server has a sentence for a key. */
export function knows(key: string): boolean {
  return spoken !== null && key in spoken.sentences;
}

/** Why something was refused. */
export function sayRefusal(refused: Pick<Refused, 'reason' | 'params'>): string {
  return say(`refusal.${refused.reason}`, refused.params);
}

/** The name of something that the server knows by an id: a post, a wager; else the name given with it. */
export function named(section: string, id: string, otherwise: string = id): string {
  const key = `${section}.${id}`;
  return knows(key) ? say(key) : otherwise;
}

/** An id as people say it where no language has a name for it: floor-host is Floor Host. */
export function inWords(id: string): string {
  return id.replace(/(^|-)(\w)/g, (_, gap: string, letter: string) => (gap ? ' ' : '') + letter.toUpperCase());
}

/** A sentence that is filled in, in the form for what it counts, which is written as numbers are in this language. */
function formed(found: string | Plural, params: Params): string {
  const by = typeof found === 'string' ? '' : (found.by ?? 'count');
  const counted = params[by];
  if (typeof counted !== 'number') return filled(typeof found === 'string' ? found : (found.other ?? ''), params);
  const form = (found as Plural)[spoken?.plural.select(counted) ?? 'other'] ?? (found as Plural).other ?? '';
  return filled(form, { ...params, [by]: spoken?.number.format(counted) ?? counted });
}

function aloud(name: string, value: string | number): string | number {
  if (typeof value === 'number') return value;
  if (name === 'wager' && WAGER.test(value)) return named('wager', value, inWords(value));
  if (value.startsWith('@post.')) return named('post', value.slice(6), inWords(value.slice(6)));
  if (value.startsWith('@')) return knows(value.slice(1)) ? say(value.slice(1)) : value;
  return AMOUNT.test(value) && !name.startsWith('clause') ? amountSaid(value) : value;
}

/** An amount of the server's as it stands everywhere else on the screens: 5000.00 is 5,000. */
function amountSaid(text: string): string {
  const [whole = '', decimals = ''] = text.split('.');
  const places = /[1-9]/.test(decimals) ? decimals.length : 0;
  const form = { minimumFractionDigits: places, maximumFractionDigits: places };
  return new Intl.NumberFormat(spoken?.code, form).format(`${whole}.${decimals}` as Intl.StringNumericLiteral);
}

function filled(text: string, params: Params): string {
  return text
    .replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole))
    .replaceAll('{{', '{')
    .replaceAll('}}', '}');
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // a browser may forbid it
  }
}

function keep(code: string): void {
  try {
    localStorage.setItem(KEPT, code);
  } catch {
    // then it is asked for again the next time
  }
}
