/** The keyboard of the dealer console, with a table and a page that the test plays itself. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { compiled } from './compiled.mjs';

const { Keys, spelled, PAUSE_MS } = await compiled('pages/dealer/running/keys.svelte.ts');

/** An element that matches what it is said to be. */
class Place {
  constructor(kind = 'body', dialog = false) {
    this.kind = kind;
    this.dialog = dialog;
  }

  matches(selector) {
    return selector.split(',').some((each) => each.trim() === this.kind);
  }

  contains(other) {
    return other === this;
  }

  closest() {
    return this.dialog ? this : null;
  }
}

const BODY = new Place();
let shown, keys, page;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  shown = { step: 'open-betting', sequence: 10, reported: 0, connected: true };
  page = { dialog: null, main: true, clicks: [], notes: [], reported: 0 };
  keys = new Keys(shown, {
    dialog: () => page.dialog,
    main: () => (page.main ? { click: () => page.click() } : null),
    report: () => (page.reported += 1),
    unused: (names) => page.notes.push(names),
  });
  page.click = () => page.clicks.push(shown.step);
  keys.follow();
});

/** Something to type into that keeps what it gets. */
function entry(more = {}) {
  const taken = [];
  keys.register({ place: () => undefined, open: () => true, press: (key) => taken.push(key) > 0, ...more });
  return taken;
}

/** Press keys in one burst; what the browser was left to do with. */
function type(...pressed) {
  const native = [];
  for (const each of pressed) {
    const { key, focus = BODY, ...more } = typeof each === 'string' ? { key: each } : each;
    let prevented = false;
    keys.pressed({
      key,
      target: focus,
      timeStamp: performance.now(),
      preventDefault: () => (prevented = true),
      ...more,
    });
    if (!prevented) native.push(key);
  }
  return native;
}

/** Let everything that is ready be done. */
async function rest() {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

/** The screen shows the next step. */
async function show(step, sequence = shown.sequence + 1) {
  shown.step = step;
  shown.sequence = sequence;
  keys.follow();
  await rest();
}

/** The button of each step sends a command, which is answered by hand. */
function sends(work = 'step') {
  const ends = [];
  page.click = () => {
    page.clicks.push(shown.step);
    ends.push(keys.begin(work));
  };
  return ends;
}

test('a key is used at once where nothing is under way', () => {
  assert.deepEqual(type(' '), []);
  assert.deepEqual(page.clicks, ['open-betting']);
  assert.deepEqual(page.notes, []);
});

for (const order of [
  ['answer', 'screen'],
  ['screen', 'answer'],
]) {
  test(`keys wait for the answer and for the step to be shown, the ${order[0]} first`, async () => {
    await show('close-betting');
    const ends = sends();
    const taken = entry({ press: (key) => key !== ' ' && taken.push(key) > 0 });
    type(' ', '2', 'h', 'Enter');
    for (const [at, each] of order.entries()) {
      assert.deepEqual(taken, [], `${at} of two have come`);
      if (each === 'answer') ends[0](12);
      else await show('card', 12);
      await rest();
    }
    assert.deepEqual(taken, ['2', 'h', 'Enter']);
    assert.deepEqual(page.notes, []);
  });
}

test('a key typed when the next step is shown is meant for it, although no answer has come', async () => {
  const ends = sends();
  type(' ');
  await show('close-betting', 11);
  type(' ');
  ends[0](11);
  await rest();
  assert.deepEqual(page.clicks, ['open-betting', 'close-betting']);
});

test('amounts go on while wagers are on the way, the closing call waits for all of them', async () => {
  await show('close-betting');
  const ends = [];
  const taken = entry({
    press: (key) => {
      if (key === ' ') return false;
      taken.push(key);
      if (key === 'Enter') ends.push(keys.begin('aside'));
      return true;
    },
  });
  type('2', 'Enter', '3', 'Enter', ' ');
  assert.deepEqual(taken, ['2', 'Enter', '3', 'Enter']);
  ends[1](shown.sequence + 2);
  ends[0](shown.sequence + 1);
  await rest();
  assert.deepEqual(page.clicks, []);
  await show('close-betting', shown.sequence + 2);
  assert.deepEqual(page.clicks, ['close-betting']);
});

test('a whole round is typed in one burst', async () => {
  const script = [];
  const ends = sends();
  entry({
    press: (key) => {
      if (key === ' ' || !['close-betting', 'card'].includes(shown.step)) return false;
      script.push(`${shown.step}:${key}`);
      if (key === 'Enter') ends.push(keys.begin(shown.step === 'card' ? 'step' : 'aside'));
      return true;
    },
  });
  type(' ', '5', 'Enter', ' ', '9', 'h', 'Enter', 'k', 'c', 'Enter', ' ', ' ');
  for (const next of ['close-betting', 'close-betting', 'card', 'card', 'call', 'line']) {
    ends.shift()(shown.sequence + 1);
    await show(next);
  }
  assert.deepEqual(
    script,
    ['5', 'Enter']
      .map((key) => `close-betting:${key}`)
      .concat(['9', 'h', 'Enter', 'k', 'c', 'Enter'].map((key) => `card:${key}`)),
  );
  assert.deepEqual(page.clicks, ['open-betting', 'close-betting', 'call', 'line']);
  assert.deepEqual(page.notes, []);
});

for (const [from, key, to] of [
  ['open-betting', ' ', 'close-betting'], // opened twice by accident
  ['call', ' ', 'open-betting'], // the next round is opened when it is shown
  ['call', ' ', 'shoe'],
  ['close-betting', ' ', 'meet-differential'],
  ['draw', ' ', 'call'],
  ['card', 'k', 'call'],
  ['card', ' ', 'pass-cards'],
  ['check-equipment', ' ', 'open-table'],
  ['case', ' ', 'case'],
]) {
  test(`${key === ' ' ? 'Space' : key} typed ahead at ${from} is not used at ${to}`, async () => {
    shown.step = from;
    keys.follow();
    const ends = sends();
    const taken = entry({
      open: () => shown.step !== from,
      press: (pressed) => pressed !== ' ' && taken.push(pressed) > 0,
    });
    type(' ', key);
    ends[0](shown.sequence + 1);
    await show(to);
    assert.deepEqual(page.clicks, [from]);
    assert.deepEqual(taken, []);
    assert.deepEqual(page.notes, [key === ' ' ? 'Space' : key]);
  });
}

test('a refusal drops the keys that wait and names them', async () => {
  const ends = sends();
  await show('close-betting');
  type(' ', '2', 'h', 'Enter', ' ');
  keys.stop();
  ends[0]();
  await rest();
  assert.deepEqual(page.notes, ['2h Enter Space']);
  assert.deepEqual(keys.waiting, []);
});

test('after keys were dropped none counts until the dealer pauses', async () => {
  const ends = sends();
  type(' ', '2');
  keys.stop();
  ends[0]();
  await rest();
  type(' ');
  mock.timers.tick(PAUSE_MS - 1);
  type(' ');
  assert.deepEqual(page.clicks, ['open-betting']);
  assert.equal(page.notes.at(-1), '2 Space Space');
  mock.timers.tick(PAUSE_MS);
  type(' ');
  assert.deepEqual(page.clicks, ['open-betting', 'open-betting']);
});

test('a space meant for the call does not confirm a void that comes up meanwhile', async () => {
  await show('card');
  const ends = sends();
  entry({ press: (key) => key === 'Enter' && ends.push(keys.begin()) > 0 });
  type('Enter', ' ');
  ends[0](shown.sequence + 1);
  await show('case', shown.sequence + 2);
  type(' ');
  assert.deepEqual(page.clicks, []);
  assert.deepEqual(page.notes, ['Space', 'Space Space']);
});

test('an irregularity of somebody else stops keys that are typed just then', async () => {
  await show('call');
  mock.timers.tick(10 * PAUSE_MS);
  await show('case');
  type(' ');
  assert.deepEqual(page.clicks, []);
  mock.timers.tick(PAUSE_MS);
  type(' ');
  assert.deepEqual(page.clicks, ['case']);
});

test('an irregularity that was reported here takes keys at once', async () => {
  await show('call');
  const end = keys.begin('interruption');
  await show('case');
  end(shown.sequence);
  await rest();
  type(' ');
  assert.deepEqual(page.clicks, ['case']);
});

test('betting that closes by itself stops what is being typed', async () => {
  await show('close-betting');
  const taken = entry();
  type('3');
  await show('card');
  type('0');
  assert.deepEqual(taken, ['3']);
  assert.deepEqual(page.notes, ['0']);
});

test('a dialog drops the keys that wait', async () => {
  const ends = sends();
  await show('close-betting');
  type(' ', ' ');
  page.dialog = {};
  ends[0](shown.sequence + 1);
  await show('draw');
  assert.deepEqual(page.clicks, ['close-betting']);
  assert.deepEqual(page.notes, ['Space']);
});

test('a dialog that waits for its answer takes no keys', () => {
  page.dialog = {};
  const field = new Place('input', true);
  const end = keys.begin();
  assert.deepEqual(type({ key: 'a', focus: field }, 'Escape'), ['Escape']);
  assert.deepEqual(page.notes, ['a']);
  end();
  assert.deepEqual(type({ key: 'a', focus: field }), ['a']);
});

test('a dialog takes keys while cards of a line that was typed before are laid', () => {
  page.dialog = {};
  keys.begin('line');
  assert.deepEqual(type({ key: 'a', focus: new Place('input', true) }), ['a']);
  assert.deepEqual(page.notes, []);
});

test('a dialog takes keys while another one that has closed waits for its answer', () => {
  page.dialog = {};
  keys.begin();
  page.dialog = {};
  assert.deepEqual(type({ key: 'a', focus: new Place('input', true) }), ['a']);
  assert.deepEqual(page.notes, []);
});

test('something wrong can be said at any time', () => {
  sends();
  type(' ', '2', 'F1');
  assert.equal(page.reported, 1);
  assert.deepEqual(page.notes, ['2']);
});

test('escape drops the keys that wait', () => {
  sends();
  type(' ', '2', 'Escape');
  assert.deepEqual(keys.waiting, []);
  assert.deepEqual(page.notes, ['2']);
});

test('a key that nothing uses is named, the next one with it', () => {
  type('q', 'w', 'Enter');
  assert.equal(page.notes.at(-1), 'qw Enter');
  type(' ', 'q');
  assert.notEqual(page.notes.at(-1), 'qw Enter q');
});

test('a key that is held down counts once', () => {
  type(' ', { key: ' ', repeat: true });
  assert.deepEqual(page.clicks, ['open-betting']);
});

test('a button that has the focus gets its own keys', () => {
  const button = new Place('button:not([data-main])');
  assert.deepEqual(type({ key: ' ', focus: button }, { key: 'Enter', focus: button }), [' ', 'Enter']);
  assert.deepEqual(page.clicks, []);
});

test('a text field of the page is written in by the browser', () => {
  const field = new Place('input');
  assert.deepEqual(type({ key: '2', focus: field }, { key: ' ', focus: field }, 'Tab'), ['2', ' ', 'Tab']);
});

test('the field of an entry is written in by the browser, and its entry gets Enter', () => {
  const field = new Place('input');
  const taken = entry({ place: () => field });
  assert.deepEqual(type({ key: '2', focus: field }, { key: 'Enter', focus: field }), ['2']);
  assert.deepEqual(taken, ['Enter']);
});

test('keys for an entry that nobody may read are not named', async () => {
  sends();
  entry({ masked: () => true, press: () => false });
  type(' ', '4', 'h', 'Enter');
  keys.stop();
  assert.deepEqual(page.notes, ['•• Enter']);
});

test('nothing waits while the connection is lost', () => {
  shown.connected = false;
  type(' ');
  assert.deepEqual(page.clicks, []);
  assert.deepEqual(page.notes, ['Space']);
});

test('keys are written as people write them', () => {
  assert.equal(spelled(['Space', '2', '0', '0', 'Enter', 'Space', '9', 'h']), 'Space 200 Enter Space 9h');
});

test('keys that wait are dropped where an irregularity is over at once', async () => {
  shown.step = 'card';
  keys.follow();
  const end = keys.begin();
  type(' ');
  assert.equal(keys.waiting.length, 1);
  Object.assign(shown, { sequence: 11, reported: 1 });
  keys.follow();
  end(11);
  await rest();
  assert.deepEqual(page.clicks, []);
  assert.deepEqual(page.notes, ['Space']);
  assert.equal(keys.stopped, true);
});
