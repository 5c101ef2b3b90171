/**
 * The connection of a screen: one socket that comes back by itself, and what the server said through it.
 *
 * A screen reads state from here and sends commands; it never computes an outcome. When the socket is lost,
 * `connection` says so at once and commands are refused; when it is back, every table is watched again from
 * the last sequence, and commands without an answer are sent again under the same id, so that none counts twice.
 */
import type {
  AcceptedAnswer,
  BettingClock,
  Credentials,
  Frame,
  Hello,
  Incoming,
  LobbyLine,
  Me,
  MomentAt,
  Outgoing,
  Question,
  RefusedMessage,
  Required,
  SendCommand,
  TableCommand,
  ToldFacts,
  View,
} from '../api/types.ts';
import { newId, post, refusedHere, type Holder, type Refused } from './api.ts';

export type Connection = 'connecting' | 'open' | 'lost' | 'ended';
export type Answer = AcceptedAnswer | RefusedMessage;
/** A listener for moments, in order; `anew` where the whole view came with them, first of all or after a pause. */
export type Heard = (moments: MomentAt[], anew: boolean) => void;

/** The way of a console to its table: one of the floor over a socket, or the training table of a drill. */
export interface TableAccess {
  readonly me: Me | null;
  /** Whether commands are taken just now. */
  readonly ready: boolean;
  /** Whether this is a drill, in which a second person is named by the post and shows no password. */
  readonly drill: boolean;
  /** The server's time in milliseconds since 1970. */
  now(): number;
  /** Watch a table from now on. */
  table(name: string): TableLive;
  /** Send a command to a table and wait until it is done or refused. */
  command(table: string, command: TableCommand, authoriser?: Credentials, comesAs?: string): Promise<Answer>;
  /** Ask the next question about what went wrong, or what the rules require. */
  question(table: string, told: ToldFacts): Promise<Question | Required | Refused>;
}

const FIRST_WAIT = 250; // milliseconds before the socket is tried again, doubled up to the longest
const LONGEST_WAIT = 4000;
const PING_EVERY = 3000;
const SILENT = 3; // so many pings without any message, and the socket counts as lost

/** One table as this screen may see it. */
export class TableLive {
  view = $state.raw<View | null>(null);
  clock = $state.raw<BettingClock | null>(null);
  /** When patrons are no longer waited for, to answer an offer or to open a hand, in microseconds. */
  until = $state.raw<number | null>(null);
  sequence = $state.raw<number | null>(null);
  /** The server knows no such table. */
  missing = $state(false);
  readonly name: string;
  readonly #heard = new Set<Heard>();

  constructor(name: string) {
    this.name = name;
  }

  /** Hear of what happens; gives back how to hear no more, as an effect wants it. */
  onMoments(heard: Heard): () => void {
    this.#heard.add(heard);
    return () => this.#heard.delete(heard);
  }

  /** Take a frame: a view replaces everything, news replace the sections that they name. */
  take(frame: Frame): void {
    const anew = frame.type === 'view';
    this.view = (anew ? frame.sections : { ...this.view, ...frame.sections }) as View;
    this.clock = frame.clock;
    this.until = frame.until;
    this.sequence = frame.sequence;
    this.missing = false;
    for (const heard of this.#heard) heard(frame.moments, anew);
  }
}

interface Waiting {
  message: SendCommand;
  answered: (answer: Answer) => void;
}

/** The connection of a screen, as staff, as a terminal, or as whoever this browser is. */
export class Live implements TableAccess {
  connection = $state<Connection>('connecting');
  me = $state.raw<Me | null>(null);
  /** Why there is no connection any more, as a code of a refusal. */
  ended = $state<string | null>(null);
  /** Somebody must give the password again before anything else is taken. */
  idle = $state(false);
  lobby = $state.raw<LobbyLine[] | null>(null);
  /** How many commands wait for their answer. */
  waiting = $state(0);

  readonly drill = false;
  readonly holder: Holder;
  readonly #tables = new Map<string, TableLive>();
  readonly #commands = new Map<string, Waiting>();
  #socket: WebSocket | null = null;
  #watchesLobby = false;
  #wait = FIRST_WAIT;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #unheard = 0; // pings since the last message
  #pinged = 0;
  #offset = $state.raw(0); // milliseconds by which the server's clock is ahead of ours
  #surest = Infinity; // the shortest way there and back by which that was measured

  constructor(holder: Holder) {
    this.holder = holder;
    addEventListener('online', () => this.#open());
    addEventListener('offline', () => this.#lose());
    this.#open();
  }

  /** Whether commands are taken just now. */
  get ready(): boolean {
    return this.connection === 'open' && !this.idle;
  }

  /** The server's time in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#offset;
  }

  /** Watch a table from now on. */
  table(name: string): TableLive {
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = new TableLive(name);
      this.#tables.set(name, table);
      this.#send({ type: 'watch', table: name });
    }
    return table;
  }

  /** Watch a table no more. */
  leave(name: string): void {
    if (this.#tables.delete(name)) this.#send({ type: 'unwatch', table: name });
  }

  /** Watch the lobby from now on. */
  watchLobby(): void {
    this.#watchesLobby = true;
    this.#send({ type: 'watch-lobby' });
  }

  /** Send a command to a table and wait until it is recorded or refused, also across a lost connection. */
  command(table: string, command: TableCommand, authoriser?: Credentials, comesAs?: string): Promise<Answer> {
    const command_id = newId();
    if (!this.ready) return Promise.resolve(refusedHere('not-ready', command_id));
    const message: SendCommand = { type: 'command', table, command_id, command };
    if (authoriser) message.authoriser = authoriser;
    if (comesAs) message.comes_as = comesAs;
    return new Promise((answered) => {
      this.#commands.set(command_id, { message, answered });
      this.waiting = this.#commands.size;
      this.#send(message);
    });
  }

  question(table: string, told: ToldFacts): Promise<Question | Required | Refused> {
    return post(`/tables/${encodeURIComponent(table)}/irregularity`, told, 'staff');
  }

  /** Begin anew, after somebody signed in or became a terminal. */
  again(): void {
    this.#drop();
    this.ended = null;
    this.idle = false;
    this.connection = 'connecting';
    this.#wait = FIRST_WAIT;
    this.#open();
  }

  /** End the connection for good. */
  close(reason: string): void {
    this.#drop();
    this.connection = 'ended';
    this.ended = reason;
    for (const [id, waiting] of this.#commands) waiting.answered(refusedHere('not-signed-in', id));
    this.#commands.clear();
    this.waiting = 0;
  }

  // the socket

  #open(): void {
    clearTimeout(this.#retry);
    if (this.#socket !== null || this.ended !== null) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const as = this.holder === 'any' ? '' : `?as=${this.holder}`;
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/socket${as}`);
    socket.onmessage = (event: MessageEvent<string>) => this.#take(JSON.parse(event.data) as Outgoing);
    socket.onclose = () => {
      if (this.#socket === socket) this.#lose();
    };
    this.#socket = socket;
    this.#unheard = 0;
    clearInterval(this.#beat);
    this.#beat = setInterval(() => this.#listen(), PING_EVERY);
  }

  /** Say at once that the connection is lost, and try again after a while. */
  #lose(): void {
    this.#drop();
    if (this.connection === 'ended') return;
    this.connection = 'lost';
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    clearInterval(this.#beat);
    clearTimeout(this.#retry);
    socket?.close();
  }

  #listen(): void {
    if (this.#unheard >= SILENT) {
      this.#lose();
      return;
    }
    this.#unheard += 1;
    this.#pinged = Date.now();
    this.#send({ type: 'ping' });
  }

  #send(message: Incoming): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  // what comes

  #take(message: Outgoing): void {
    this.#unheard = 0;
    switch (message.type) {
      case 'hello':
        this.#greet(message);
        break;
      case 'view':
      case 'news':
        this.#measure(message.now, null);
        this.#tables.get(message.table)?.take(message);
        break;
      case 'lobby':
        this.#measure(message.now, null);
        this.lobby = merged(this.lobby ?? [], message.tables);
        break;
      case 'accepted':
      case 'refused':
        this.#answer(message);
        break;
      case 'pong':
        this.#measure(message.now, this.#pinged);
        break;
      case 'ended':
        if (message.reason === 'session-idle') this.idle = true;
        if (!message.again) this.close(message.reason);
        break;
    }
  }

  /** The first message: watch everything again from where it was, then repeat what was not answered. */
  #greet(hello: Hello): void {
    this.me = hello.me;
    if (this.connection === 'open') return; // somebody sat down or left
    this.#surest = Infinity; // our own clock may have been set meanwhile
    this.#measure(hello.me.now, null);
    this.connection = 'open';
    this.#wait = FIRST_WAIT;
    for (const table of this.#tables.values()) {
      this.#send({ type: 'watch', table: table.name, ...(table.sequence === null ? {} : { after: table.sequence }) });
    }
    if (this.#watchesLobby) this.#send({ type: 'watch-lobby' });
    for (const { message } of this.#commands.values()) this.#send(message);
  }

  #answer(answer: Answer): void {
    if (answer.type === 'refused' && answer.reason === 'session-idle') this.idle = true;
    const id = answer.command_id;
    if (id === null) {
      const table = answer.type === 'refused' && answer.table ? this.#tables.get(answer.table) : undefined;
      if (table) table.missing = true;
      return;
    }
    const waiting = this.#commands.get(id);
    this.#commands.delete(id);
    this.waiting = this.#commands.size;
    waiting?.answered(answer);
  }

  /** Learn how far the server's clock is ahead; what came back soonest is surest. */
  #measure(now: number, sent: number | null): void {
    const received = Date.now();
    const way = sent === null ? 1000 : received - sent;
    if (way > this.#surest) return;
    this.#surest = way;
    this.#offset = now / 1000 - (sent === null ? received : (sent + received) / 2);
  }
}

function merged(lines: LobbyLine[], changed: LobbyLine[]): LobbyLine[] {
  const by = new Map(lines.map((line) => [line.table, line]));
  for (const line of changed) by.set(line.table, line);
  return [...by.values()];
}
