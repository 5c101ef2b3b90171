/** The connection of a screen, with a server that the test plays itself. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { compiled } from './compiled.mjs';

const sockets = [];
const events = {};

class FakeSocket {
  static OPEN = 1;
  readyState = 0;
  sent = [];

  constructor(address) {
    this.address = address;
    sockets.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }

  // what the server does

  greet(me = {}) {
    this.readyState = 1;
    this.say({ type: 'hello', me: { kind: 'terminal', name: 't1', now: Date.now() * 1000, ...me } });
  }

  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  drop() {
    this.readyState = 3;
    this.onclose?.();
  }
}

globalThis.WebSocket = FakeSocket;
globalThis.location = { protocol: 'http:', host: 'floor' };
globalThis.addEventListener = (name, handle) => (events[name] = handle);

const { Live } = await compiled('lib/live.svelte.ts', 'lib/api.ts');
const SECTIONS = { phase: { phase: 'betting' }, cards: { cards: [] }, own: { credits: 5 } };
const frame = (more) => ({
  type: 'view',
  table: 'one',
  after: 0,
  sequence: 7,
  now: 0,
  clock: null,
  moments: [],
  sections: SECTIONS,
  ...more,
});
const last = () => sockets.at(-1);

beforeEach(() => {
  sockets.length = 0;
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });
});

test('a table is watched as soon as the server has greeted', () => {
  const live = new Live('terminal');
  assert.equal(last().address, 'ws://floor/api/v1/socket?as=terminal');
  live.table('one');
  assert.deepEqual(last().sent, []);
  last().greet();
  assert.equal(live.connection, 'open');
  assert.deepEqual(last().sent, [{ type: 'watch', table: 'one' }]);
});

test('a view replaces everything, news replace the sections that they name', () => {
  const live = new Live('any');
  const table = live.table('one');
  last().greet();
  last().say(frame());
  const cards = table.view.cards;
  last().say(frame({ type: 'news', sequence: 8, sections: { phase: { phase: 'dealing' }, own: null } }));
  assert.equal(table.sequence, 8);
  assert.equal(table.view.phase.phase, 'dealing');
  assert.equal(table.view.own, null);
  assert.equal(table.view.cards, cards, 'what did not change is the same as before');
  last().say(frame({ sections: { phase: { phase: 'idle' } } }));
  assert.deepEqual(table.view, { phase: { phase: 'idle' } });
});

test('moments are heard once, and it is told whether everything came anew', () => {
  const live = new Live('any');
  const heard = [];
  const forget = live.table('one').onMoments((moments, anew) => heard.push([moments.length, anew]));
  last().greet();
  last().say(frame());
  last().say(frame({ type: 'news', moments: [{}, {}] }));
  forget();
  last().say(frame({ type: 'news', moments: [{}] }));
  assert.deepEqual(heard, [
    [0, true],
    [2, false],
  ]);
});

test('a lost connection is said at once, comes back, and is resumed from the last sequence', () => {
  const live = new Live('terminal');
  live.table('one');
  live.watchLobby();
  last().greet();
  last().say(frame({ sequence: 42 }));
  last().drop();
  assert.equal(live.connection, 'lost');
  assert.equal(live.ready, false);
  assert.equal(sockets.length, 1);
  mock.timers.tick(400);
  assert.equal(sockets.length, 2, 'tried again within half a second');
  last().greet();
  assert.equal(live.connection, 'open');
  assert.deepEqual(last().sent, [{ type: 'watch', table: 'one', after: 42 }, { type: 'watch-lobby' }]);
});

test('it is tried again and again, less often each time', () => {
  new Live('any');
  for (let round = 0; round < 8; round++) {
    last().drop();
    mock.timers.tick(5100);
  }
  assert.equal(sockets.length, 9);
});

test('a command without an answer is sent again under its id, and answered once', async () => {
  const live = new Live('terminal');
  last().greet();
  const answer = live.command('one', { type: 'open-betting' });
  const [sent] = last().sent;
  assert.equal(sent.type, 'command');
  assert.match(sent.command_id, /^[0-9a-f]{32}$/);
  assert.equal(live.waiting, 1);
  last().drop();
  mock.timers.tick(400);
  last().greet();
  assert.deepEqual(last().sent, [sent]);
  last().say({ type: 'accepted', command_id: sent.command_id, sequence: 3, receipt: null });
  last().say({ type: 'accepted', command_id: sent.command_id, sequence: 3, receipt: null });
  assert.equal((await answer).sequence, 3);
  assert.equal(live.waiting, 0);
});

test('while the connection is lost nothing is sent, and it is refused here', async () => {
  const live = new Live('terminal');
  last().greet();
  last().drop();
  const answer = await live.command('one', { type: 'open-betting' });
  assert.equal(answer.type, 'refused');
  assert.equal(answer.reason, 'not-ready');
  mock.timers.tick(400);
  last().greet();
  assert.deepEqual(last().sent, []);
});

test('a refusal reaches who sent the command', async () => {
  const live = new Live('staff');
  last().greet();
  const answer = live.command('one', { type: 'open-betting' }, { name: 'max', password: 'p', code: '1' });
  const [sent] = last().sent;
  assert.deepEqual(sent.authoriser, { name: 'max', password: 'p', code: '1' });
  const refused = {
    type: 'refused',
    reason: 'table-paused',
    clauses: [],
    message: '',
    params: [],
    command_id: sent.command_id,
    table: null,
  };
  last().say(refused);
  assert.deepEqual(await answer, refused);
});

test('silence is a lost connection', () => {
  const live = new Live('any');
  last().greet();
  mock.timers.tick(3000);
  assert.deepEqual(last().sent, [{ type: 'ping' }]);
  last().say({ type: 'pong', now: Date.now() * 1000 });
  mock.timers.tick(9000);
  assert.equal(live.connection, 'open');
  mock.timers.tick(3000);
  assert.equal(live.connection, 'lost');
});

test('a network that goes is noticed before the socket knows', () => {
  const live = new Live('any');
  last().greet();
  events.offline();
  assert.equal(live.connection, 'lost');
});

test('an end that is final is not tried again, and open commands are refused', async () => {
  const live = new Live('staff');
  last().greet();
  const answer = live.command('one', { type: 'open-betting' });
  last().say({ type: 'ended', reason: 'session-idle', again: false });
  last().drop();
  assert.equal(live.connection, 'ended');
  assert.equal(live.ended, 'session-idle');
  assert.equal((await answer).reason, 'not-signed-in');
  mock.timers.tick(60_000);
  assert.equal(sockets.length, 1);
  live.again();
  assert.equal(sockets.length, 2);
  last().greet();
  assert.equal(live.connection, 'open');
  assert.equal(live.ready, true);
});

test('a server that stops says so and is waited for', () => {
  const live = new Live('any');
  last().greet();
  last().say({ type: 'ended', reason: 'stopping', again: true });
  last().drop();
  assert.equal(live.connection, 'lost');
  mock.timers.tick(400);
  assert.equal(sockets.length, 2);
});

test('the time is that of the server, by the shortest way there and back', () => {
  const live = new Live('any');
  last().greet({ now: (Date.now() + 60_000) * 1000 });
  assert.equal(live.now() - Date.now(), 60_000);
  mock.timers.tick(3000);
  mock.timers.tick(100);
  last().say({ type: 'pong', now: (Date.now() + 50_000) * 1000 });
  assert.equal(live.now() - Date.now(), 50_050);
});

test('the lobby keeps the lines that did not change', () => {
  const live = new Live('any');
  live.watchLobby();
  last().greet();
  last().say({
    type: 'lobby',
    now: 0,
    tables: [
      { table: 'a', state: 'shut' },
      { table: 'b', state: 'shut' },
    ],
  });
  last().say({ type: 'lobby', now: 0, tables: [{ table: 'a', state: 'betting' }] });
  assert.deepEqual(
    live.lobby.map((line) => line.state),
    ['betting', 'shut'],
  );
});

test('a table that there is not is told as such', () => {
  const live = new Live('any');
  const table = live.table('nowhere');
  last().greet();
  last().say({
    type: 'refused',
    reason: 'no-such-table',
    clauses: [],
    message: '',
    params: [],
    command_id: null,
    table: 'nowhere',
  });
  assert.equal(table.missing, true);
});
