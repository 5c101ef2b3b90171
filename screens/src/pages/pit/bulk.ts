/** The same at several tables: each is a command of its own table, recorded there. */
import type { LobbyLine, TableCommand } from '../../api/types.ts';
import { isRefused, type Refused } from '../../lib/api.ts';
import { isForTwo } from '../../lib/desk.svelte.ts';
import { list } from '../../lib/format.ts';
import type { Live, TableLive } from '../../lib/live.svelte.ts';
import { postName } from '../../lib/names.ts';
import { note } from '../../lib/notes.svelte.ts';
import { sayRefusal, t } from '../../lib/words.svelte.ts';
import { asking } from './ask.svelte.ts';
import type { Waits } from './waiting.ts';

export interface Watched {
  line: LobbyLine;
  table: TableLive;
}

/** Something that waits, and where. */
export type WaitsAt = Waits & { table: string };

/** Does a command at a table with a second person, who is asked for; whether it was done. */
export type ByTwo = (table: string, command: TableCommand) => Promise<boolean>;

/** The highest post that whoever is here holds in the house of a table and is not on duty in; nothing where no post is needed. */
function postToTake(live: Live, { table }: Watched): string | undefined {
  const { people, rules } = table.view ?? {};
  if (!live.me || !people || !rules || people.on_duty[live.me.name]?.length) return undefined;
  return rules.posts.findLast((post) => live.me?.posts.includes(post));
}

/** Come on duty where that is needed and do something at each of these tables; asks first, and says what came of it. */
async function atEach(
  live: Live,
  tables: Watched[],
  title: string,
  commands: { table: string; command: TableCommand }[],
  byTwo: ByTwo,
): Promise<void> {
  const names = new Set(commands.map(({ table }) => table));
  const comes = tables.flatMap((each) => {
    const post = names.has(each.line.table) ? postToTake(live, each) : undefined;
    return post === undefined ? [] : [{ table: each.line.table, post }];
  });
  const posts = list([...new Set(comes.map(({ post }) => postName(post)))]);
  const where = list(comes.map(({ table }) => table.replaceAll('-', '\u2011'))); // a name stays in one line
  const why = comes.length ? { why: t('pit.bulkComes', { posts, tables: where }) } : {};
  if (!(await asking.ask({ title, does: title, fields: [], ...why }))) return;
  const refused: string[] = [];
  for (const { table, post } of comes) {
    const answer = await live.command(table, { type: 'come-on-duty', person: live.me?.name ?? '', post });
    if (isRefused(answer)) refused.push(told(table, answer));
  }
  let done = 0;
  const forTwo: typeof commands = [];
  for (const each of commands) {
    const answer = await live.command(each.table, each.command);
    if (!isRefused(answer)) done += 1;
    else if (isForTwo(answer)) forTwo.push(each);
    else refused.push(told(each.table, answer));
  }
  // a code is good once, so each is asked for by itself; whoever leaves one question leaves all
  for (const { table, command } of forTwo) {
    if (!(await byTwo(table, command))) break;
    done += 1;
  }
  note(t('pit.bulkDone', { done, all: commands.length }), refused.length ? 'bad' : 'good');
  for (const each of new Set(refused)) note(each, 'bad');
}

function told(table: string, refused: Refused): string {
  return `${table}: ${sayRefusal(refused)}`;
}

/** Acknowledge all alerts of a list. */
export function acknowledgeAll(live: Live, tables: Watched[], waiting: WaitsAt[], byTwo: ByTwo): Promise<void> {
  const commands = waiting.flatMap(({ table, alert }) =>
    alert
      ? [{ table, command: { type: 'acknowledge-alert', sequence: alert.recorded.sequence, act: alert.act } as const }]
      : [],
  );
  return atEach(live, tables, t('pit.acknowledgeAll', { count: commands.length }), commands, byTwo);
}

/** Release all tables of a list that are held. */
export function releaseAll(live: Live, tables: Watched[], waiting: WaitsAt[], byTwo: ByTwo): Promise<void> {
  const commands = waiting
    .filter(({ held }) => held)
    .map(({ table }) => ({ table, command: { type: 'resume-table' } as const }));
  return atEach(live, tables, t('pit.releaseAll', { count: commands.length }), commands, byTwo);
}
