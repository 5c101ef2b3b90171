/** Another definition of a table, which takes effect when a second person approves it. */
import type { FloorAnswer, LobbyLine, PostedLimit, TableDefinition, WagerOffered } from '../../api/types.ts';
import { typedForm } from '../../lib/amount.ts';
import { get, isRefused } from '../../lib/api.ts';
import { wagerById } from '../../lib/names.ts';
import { noteRefusal } from '../../lib/notes.svelte.ts';
import { t } from '../../lib/words.svelte.ts';
import { asking, numberIn, type FieldAsked, type Given } from './ask.svelte.ts';
import { doOnFloor } from './does.ts';

const MOST_DECKS = 20; // how many a game permits is for the server to say

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
  return doOnFloor({ type: 'propose-table', definition: changed(definition, given) });
}

function fieldsOf(definition: TableDefinition, line: LobbyLine, offered: WagerOffered[]): FieldAsked[] {
  const { currency } = line;
  const { decks, limits } = definition.setup;
  return [
    { name: 'decks', label: t('pit.decks'), kind: 'whole', least: 1, most: MOST_DECKS, value: String(decks) },
    ...limits.flatMap((limit): FieldAsked[] => [
      {
        name: `${limit.wager}.minimum`,
        label: t('pit.least', { wager: wagerById(limit.wager, offered) }),
        kind: 'amount',
        currency,
        value: typedForm(limit.minimum, currency),
      },
      {
        name: `${limit.wager}.maximum`,
        label: t('pit.most', { wager: wagerById(limit.wager, offered) }),
        kind: 'amount',
        currency,
        value: typedForm(limit.maximum, currency),
      },
    ]),
  ];
}

function changed(definition: TableDefinition, given: Given): TableDefinition {
  const limits: PostedLimit[] = definition.setup.limits.map((limit) => ({
    ...limit,
    minimum: numberIn(given, `${limit.wager}.minimum`),
    maximum: numberIn(given, `${limit.wager}.maximum`),
  }));
  return { ...definition, setup: { ...definition.setup, decks: numberIn(given, 'decks'), limits } };
}
