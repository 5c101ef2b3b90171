/** Typed amounts and whole numbers, by the cases that the server's parser is held to as well. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compiled } from './compiled.mjs';

const { MOST_AMOUNT, parseAmount, parsePositive, parseWhole, typedForm } = await compiled('lib/amount.ts');
const cases = JSON.parse(readFileSync(new URL('../../tests/amounts.json', import.meta.url), 'utf-8'));
const of = (exponent) => ({ code: 'SGD', exponent });

for (const { text, exponent, minor, why } of cases)
  test(`${JSON.stringify(text)} with ${exponent} decimals is ${minor ?? why}`, () => {
    assert.equal(parseAmount(text, of(exponent)), minor ?? why);
  });

test('every fault of an amount has a case', () => {
  const seen = new Set(cases.flatMap(({ why }) => why ?? []));
  const all = ['empty', 'separator', 'decimals', 'point', 'leading-zero', 'sign', 'too-large', 'form'];
  assert.deepEqual([...seen].sort(), all.sort());
});

test('an amount above zero is not 0', () => {
  for (const text of ['0', '0.00', '0.0']) assert.equal(parsePositive(text, of(2)), 'zero');
  assert.equal(parsePositive('0.01', of(2)), 1);
  assert.equal(parsePositive('1,50', of(2)), 'separator');
});

test('an amount is typed as it is read', () => {
  for (const exponent of [0, 1, 2, 3, 4])
    for (const minor of [0, 1, 9, 10, 99, 100, 101, 1050, 12345, 100000, 10 ** 13 + 1, MOST_AMOUNT])
      assert.equal(parseAmount(typedForm(minor, of(exponent)), of(exponent)), minor);
  assert.equal(typedForm(150000, of(2)), '1500');
  assert.equal(typedForm(150050, of(2)), '1500.50');
  assert.equal(typedForm(5, of(2)), '0.05');
  assert.equal(typedForm(5000, of(0)), '5000');
});

test('every amount of two decimals is read exactly', () => {
  for (let minor = 0; minor < 20_000; minor += 1) {
    const text = `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
    assert.equal(parseAmount(text, of(2)), minor);
  }
});

test('a whole number is digits within its bounds', () => {
  assert.equal(parseWhole('1', 1, 415), 1);
  assert.equal(parseWhole('415', 1, 415), 415);
  assert.equal(parseWhole('0', 0, 9), 0);
  assert.equal(parseWhole('', 1, 415), 'empty');
  for (const text of ['0', '416', '999999999999999']) assert.equal(parseWhole(text, 1, 415), 'range');
  const others = [
    '1.0',
    '1.',
    '1,0',
    '1 0',
    ' 1',
    '1\n',
    '-1',
    '+1',
    '1e2',
    '0x1',
    '08',
    '００',
    '１',
    'abc',
    '9'.repeat(16),
  ];
  for (const text of others) assert.equal(parseWhole(text, 0, 10 ** 20), 'form', text);
});
