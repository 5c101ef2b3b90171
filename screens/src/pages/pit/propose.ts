/** Another definition of a table, which takes effect when a second person approves it. */
import type { FloorAnswer, LobbyLine, PostedLimit, TableDefinition, WagerOffered } from '../../api/types.ts';
import { get, isRefused } from '../../lib/api.ts';
import { wagerById } from '../../lib/names.ts';
import { noteRefusal } from '../../lib/notes.svelte.ts';
import { t } from '../../lib/words.svelte.ts';
import { asking, type FieldAsked } from './ask.svelte.ts';
import { doOnFloor, minor } from './does.ts';

/** Ask for other limits and decks of a table and propose them; whether that was done. */
export async function proposeChange(line: LobbyLine, offered: WagerOffered[]): Promise<boolean> {
  const floor = await get<FloorAnswer>('/floor', 'staff');
  if (isRefused(floor)) {
    noteRefusal(floor);
    return false;
  }
  const definition = floor.tables.find((each) => each.setup.table === line.table);
  if (!definition) return false;
  const title = t('pit.propose', { table: line.table });
  const given = await asking.ask({
    title,
    why: t('pit.proposeWhy'),
    does: t('pit.changeTable'),
    fields: fieldsOf(definition, line, offered),
  });
  if (!given) return false;
  return doOnFloor({ type: 'propose-table', definition: changed(definition, given.values, line.currency.exponent) });
}

function fieldsOf(definition: TableDefinition, line: LobbyLine, offered: WagerOffered[]): FieldAsked[] {
  const unit = 10 ** line.currency.exponent;
  return [
    { name: 'decks', label: t('pit.decks'), kind: 'number', value: String(definition.setup.decks) },
    ...definition.setup.limits.flatMap((limit) => [
      {
        name: `${limit.wager}.minimum`,
        label: t('pit.least', { wager: wagerById(limit.wager, offered) }),
        value: String(limit.minimum / unit),
      },
      {
        name: `${limit.wager}.maximum`,
        label: t('pit.most', { wager: wagerById(limit.wager, offered) }),
        value: String(limit.maximum / unit),
      },
    ]),
  ];
}

function changed(definition: TableDefinition, values: Record<string, string>, exponent: number): TableDefinition {
  const limits: PostedLimit[] = definition.setup.limits.map((limit) => ({
    ...limit,
    minimum: minor(values[`${limit.wager}.minimum`] ?? '', exponent) ?? limit.minimum,
    maximum: minor(values[`${limit.wager}.maximum`] ?? '', exponent) ?? limit.maximum,
  }));
  return { ...definition, setup: { ...definition.setup, decks: Number(values['decks']), limits } };
}
