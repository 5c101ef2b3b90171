/** The words of the screens and the server's sentences, in the language that somebody chose. */
import type { Message } from '../api/types.ts';
import type { Refused } from './api.ts';
import type en from '../languages/en.json';

/** A word of the screens: its section and its name there. */
export type Key = {
  [Section in keyof typeof en]: `${Section & string}.${keyof (typeof en)[Section] & string}`;
}[keyof typeof en];
export type Params = Record<string, string | number>;
type Plural = Partial<Record<Intl.LDMLPluralRule, string>>;
type Words = Record<string, Record<string, string | Plural>>;

interface Language {
  code: string;
  words: Words;
  sentences: Record<string, string>;
  plural: Intl.PluralRules;
}

/** The languages by their code, named as their speakers name them. */
export const LANGUAGES = { en: 'English', 'zh-Hans': '简体中文' } as const;
export type Code = keyof typeof LANGUAGES;

const KEPT = 'thirdcard-language';
const AMOUNT = /^\d+\.\d{2,3}$/; // as the server writes amounts; the number of a clause comes out as it is
type Loaded = Promise<{ default: unknown }>;
const LOADERS: Record<Code, { words: () => Loaded; staff: () => Loaded; sentences: () => Loaded }> = {
  en: {
    words: () => import('../languages/en.json?everybody'),
    staff: () => import('../languages/en.json?staff'),
    sentences: () => import('../../../src/thirdcard/languages/en.toml'),
  },
  'zh-Hans': {
    words: () => import('../languages/zh-Hans.json?everybody'),
    staff: () => import('../languages/zh-Hans.json?staff'),
    sentences: () => import('../../../src/thirdcard/languages/zh-Hans.toml'),
  },
};

let forStaff = true; // whether this page says what only staff read
let spoken = $state.raw<Language | null>(null);

/** The language that is spoken now. */
export function language(): Code {
  return (spoken?.code ?? 'en') as Code;
}

/** Say nothing on this page that only staff read. */
export function withoutStaff(): void {
  forStaff = false;
}

/** Speak a language from now on, and in this browser also the next time. */
export async function speak(code: Code): Promise<void> {
  const { words, staff, sentences } = LOADERS[code];
  const [own, more, said] = await Promise.all([words(), forStaff ? staff() : null, sentences()]);
  spoken = {
    code,
    words: { ...(own.default as Words), ...(more?.default as Words | undefined) },
    sentences: said.default as Record<string, string>,
    plural: new Intl.PluralRules(code),
  };
  document.documentElement.lang = code;
  keep(code);
}

/** The language that was chosen here before, or that the browser asks for. */
export function wanted(): Code {
  const asked = new URLSearchParams(location.search).get('language') ?? kept();
  if (asked !== null && asked in LANGUAGES) return asked as Code;
  return navigator.languages.some((each) => /^zh\b/i.test(each)) && !/^en\b/i.test(navigator.language)
    ? 'zh-Hans'
    : 'en';
}

/** A word of the screens. A parameter `count` chooses among its plural forms. */
export function t(key: Key, params: Params = {}): string {
  const [section, name] = key.split('.', 2) as [string, string];
  const found = spoken?.words[section]?.[name] ?? key;
  if (typeof found === 'string') return filled(found, params);
  const { count } = params;
  const form = typeof count === 'number' ? (spoken?.plural.select(count) ?? 'other') : 'other';
  return filled(found[form] ?? found.other ?? key, params);
}

/** A sentence of the server; a parameter such as `@hand.player` is itself the key of one. */
export function say(key: string, params: Params | Message['params'] = {}): string {
  const given = Array.isArray(params) ? Object.fromEntries(params) : params;
  const found = spoken?.sentences[key];
  if (found === undefined) return key;
  const said = Object.entries(given).map(([name, value]) => [name, aloud(value)]);
  return filled(found, Object.fromEntries(said) as Params);
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

function aloud(value: string | number): string | number {
  if (typeof value === 'number') return value;
  if (value.startsWith('@post.')) return named('post', value.slice(6), inWords(value.slice(6)));
  if (value.startsWith('@')) return spoken?.sentences[value.slice(1)] ?? value;
  return AMOUNT.test(value) ? amountSaid(value) : value;
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

function keep(code: Code): void {
  try {
    localStorage.setItem(KEPT, code);
  } catch {
    // then it is asked for again the next time
  }
}
