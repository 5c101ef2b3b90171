/** Cards as a dealer types them: where they were put, and that they came together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiled } from './compiled.mjs';

const { isPlain, spelledDraw, typed } = await compiled('lib/cards.ts');
const said = (text) => typed(text).draws.map(({ cards, hand, order }) => [cards.length, hand, order]);

test('cards typed one after another go where the rules want them', () => {
  const read = typed('2h9dks');
  assert.deepEqual(said('2h9dks'), [
    [1, null, null],
    [1, null, null],
    [1, null, null],
  ]);
  assert.ok(read.draws.every(isPlain));
  assert.equal(read.rest, '');
});

for (const [text, draws] of [
  ['9hb', [[1, 'banker', null]]],
  [
    '9HP2d',
    [
      [1, 'player', null],
      [1, null, null],
    ],
  ],
  ['xb', [[1, 'banker', null]]],
  ['5h>9d', [[2, null, 'known']]],
  ['5h+9d', [[2, null, 'unknown']]],
  ['5h>9d+kc', [[3, null, 'unknown']]],
  ['x + x p', [[2, 'player', 'unknown']]],
])
  test(`${text} says where cards lie`, () => assert.deepEqual(said(text), draws));

for (const text of ['5h+', '5h>', '5h+1'])
  test(`${text} is not complete yet`, () => {
    const { fits, rest } = typed(text);
    assert.ok(fits);
    assert.notEqual(rest, '');
  });

for (const text of ['b', '+5h', '5h++9d', '5h+b', '9z'])
  test(`${text} is no card`, () => assert.equal(typed(text).fits, false));

test('what was typed is written again as it was', () => {
  for (const text of ['9hb', '5h>9d', '5h+9dp', 'x', 'tskc'])
    assert.equal(typed(text).draws.map(spelledDraw).join(''), text);
});
