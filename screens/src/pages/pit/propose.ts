/** Another definition of a table: a second person approves it, and the table takes it over by itself. */
import type { FloorAnswer, LobbyLine, PostedLimit, TableDefinition, View } from '../../api/types.ts';
import { typedForm } from '../../lib/amount.ts';
import { get, isRefused } from '../../lib/api.ts';
import { wagerById } from '../../lib/names.ts';
import { noteRefusal } from '../../lib/notes.svelte.ts';
import { t } from '../../lib/words.svelte.ts';
import { asking, numberIn, type FieldAsked, type Given } from './ask.svelte.ts';
import { doOnFloor } from './does.ts';

const MOST_DECKS = 20; // where the rules are not there yet; the server knows them anyway
const MOST_POSITIONS = 30; // how many a layout has is for the server to say

/** Ask for other limits and decks of a table and propose them; whether that was done. */
export async function proposeChange(line: LobbyLine, view: View): Promise<boolean> {
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
    fields: fieldsOf(definition, line, view),
    check: (values) => crossed(definition, values, view),
    sends: (values) => doOnFloor({ type: 'propose-table', definition: changed(definition, values) }),
  });
  return given !== null;
}

/** Return which wager has a minimum above its maximum. */
function crossed(definition: TableDefinition, given: Given, view: View): string | null {
  const found = definition.setup.limits.find(
    ({ wager }) => numberIn(given, `${wager}.minimum`) > numberIn(given, `${wager}.maximum`),
  );
  return found ? t('pit.crossed', { wager: wagerById(found.wager, view.setup.wagers) }) : null;
}

function fieldsOf(definition: TableDefinition, line: LobbyLine, view: View): FieldAsked[] {
  const { currency } = line;
  const { decks, limits, positions } = definition.setup;
  const offered = view.setup.wagers;
  const [least, most] = [view.rules?.least_decks ?? 1, view.rules?.most_decks ?? MOST_DECKS];
  const places: FieldAsked[] =
    positions > 0
      ? [
          {
            name: 'positions',
            label: t('pit.positions'),
            kind: 'whole',
            least: 1,
            most: MOST_POSITIONS,
            value: String(positions),
          },
        ]
      : [];
  return [
    { name: 'decks', label: t('pit.decks'), kind: 'whole', least, most, value: String(decks) },
    ...places,
    {
      name: 'next',
      label: t('pit.nextMarks'),
      choices: [
        ['off', t('pit.nextMarks_off')],
        ['on', t('pit.nextMarks_on')],
      ],
      value: definition.next_marks ? 'on' : 'off',
    },
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
  const { setup } = definition;
  const positions = given.numbers['positions'] ?? setup.positions;
  return {
    ...definition,
    next_marks: given.values['next'] === 'on',
    setup: { ...setup, decks: numberIn(given, 'decks'), positions, limits },
  };
}
