/** The rule that a component reads derived values and props before it waits. */
import { RuleTester } from 'eslint';
import { describe, it } from 'node:test';
import ts from 'typescript-eslint';
import rule from '../lint/derived-after-await.js';

RuleTester.describe = describe;
RuleTester.it = it;

const PROPS = `
  interface Props { streams: string[]; live: Live; onclose: () => void }
  let { streams, live, onclose }: Props = $props();
  let busy = $state(false);
  const more = $derived(streams.length > 1);
`;

new RuleTester({ languageOptions: { parser: ts.parser } }).run('derived-after-await', rule, {
  valid: [
    `${PROPS} async function load() { const before = more; await get(streams); busy = before; }`,
    `${PROPS} async function load() { await get(); live.again(); onclose(); busy = true; }`,
    `${PROPS} function draw() { return more; }`,
    `${PROPS} async function load() { const later = async () => { await get(); }; show(more); await later(); }`,
  ],
  invalid: [
    {
      code: `${PROPS} async function load() { await get(); busy = more; }`,
      errors: [{ messageId: 'late', data: { name: 'more' } }],
    },
    {
      code: `${PROPS} async function load() { await get(); show(streams); }`,
      errors: [{ messageId: 'late', data: { name: 'streams' } }],
    },
    {
      code: `${PROPS} function load() { void get().then(() => (busy = more)); }`,
      errors: [{ messageId: 'late', data: { name: 'more' } }],
    },
    {
      code: `${PROPS} const load = async () => { if (await get()) busy = more; };`,
      errors: [{ messageId: 'late', data: { name: 'more' } }],
    },
  ],
});
