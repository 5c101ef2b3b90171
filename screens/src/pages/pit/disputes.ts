/** The steps of a dispute, in words, and the questions that a button of a duty asks. */
import type { Dispute, DisputeRules, TableCommand } from '../../api/types.ts';
import { dateTime, list } from '../../lib/format.ts';
import { postName } from '../../lib/names.ts';
import { say, t, type Key } from '../../lib/words.svelte.ts';
import { asking, numberIn, type FieldAsked, type Given } from './ask.svelte.ts';

/** Return the steps that were taken in a dispute, each with its name. */
export function told(each: Dispute): [string, string][] {
  const found: [string, string][] = [];
  const add = (key: Key, says: string | null | false): void => {
    if (says) found.push([t(key), says]);
  };
  const { complaint, opened_by: opener } = each;
  add('pit.openedBy', opener !== null && opener !== each.patron && postName(opener));
  add('pit.escalatedBy', each.escalated_by !== null && postName(each.escalated_by));
  add('pit.earlierDecision', each.earlier_decision);
  for (const { what, given_by, source } of each.information) {
    const from = t('pit.givenBy', { name: postName(given_by) });
    if (source === PAYEE) add('pit.payee', what);
    else add('pit.information', `${what} (${source ? `${from}, ${say(`dispute.${source}`)}` : from})`);
  }
  add('pit.surveillanceKnows', each.surveillance && by(each.surveillance_by));
  add('pit.stepTimeFrame', each.answer_by ? t('pit.untilWhen', { when: when(each.answer_by) }) : each.time_frame);
  add('pit.noTimeFrame', each.no_time_frame);
  add('pit.decision', each.decision);
  add('pit.decidedBy', each.decided_by !== null && list([each.decided_by, each.decided_second].flatMap(person)));
  add('pit.considered', each.sources.length > 0 && list(each.sources.map((source) => say(`dispute.${source}`))));
  for (const { source, why } of each.unavailable) add('pit.unavailable', `${say(`dispute.${source}`)}: ${why}`);
  add('pit.stepAnswered', each.agrees !== null && t(each.agrees ? 'pit.agrees' : 'pit.disagrees'));
  add('pit.answerEnteredBy', each.answer_entered_by.length > 0 && list(each.answer_entered_by.map(postName)));
  add('pit.inspectorKnows', each.inspector && by(each.inspector_by));
  const { complain_until: until } = each;
  add('pit.rightTold', each.right_told && (until ? t('pit.untilWhen', { when: when(until) }) : t('pit.isDone')));
  add('pit.rightToldBy', each.right_told_by.length > 0 && by(each.right_told_by));
  if (complaint) {
    add('pit.complaint', complaint.text);
    add('pit.filedBy', complaint.filed_by !== null && postName(complaint.filed_by));
    add('pit.helpedBy', postName(complaint.helper));
    add('pit.late', complaint.late && t('pit.afterTerm'));
    add('pit.receivedBy', complaint.received_by !== null && postName(complaint.received_by));
    add('pit.complaintAnswer', complaint.answer);
  }
  return found;
}

/** Those who did something, by name; of older records only that it was done. */
function by(people: string[]): string {
  return people.length ? t('pit.doneBy', { names: list(people.map(postName)) }) : t('pit.isDone');
}

function person(name: string | null): string[] {
  return name === null ? [] : [postName(name)];
}

export function when(instant: string): string {
  return dateTime(Date.parse(instant) * 1000);
}

/** Have a table decide something; whether it was done. */
export type Send = (command: TableCommand) => Promise<boolean>;

/** Ask for texts, make a command of them and send it; the question stays until it was done or closed. */
export async function askFor(
  title: string,
  fields: FieldAsked[],
  send: Send,
  command: (given: Given) => TableCommand,
  check?: (given: Given) => string | null,
): Promise<void> {
  await asking.ask({ title, does: title, fields, sends: (given) => send(command(given)), ...(check ? { check } : {}) });
}

const MINUTES = { minutes: 1, hours: 60, days: 24 * 60 };
const MOST_OF_A_UNIT = 999;

function isUnit(unit: string): unit is keyof typeof MINUTES {
  return unit in MINUTES;
}

/** The source of a piece of information by which the patron names who is to receive the award. */
const PAYEE = 'payee';

/** The questions that a button of a duty asks before it sends its command. */
export const ASKS = {
  gather: ({ id, patron }: Dispute, rules: DisputeRules, people: string[], send: Send) => {
    const sources: [string, string][] = rules.sources.map((each) => [each.id, say(`dispute.${each.id}`)]);
    const names = [...new Set([patron, ...people])];
    const givers: [string, string][] = names.map((each) => [each, postName(each)]);
    return askFor(
      t('pit.gather'),
      [
        { name: 'what', label: t('pit.whatIsKnown') },
        { name: 'giver', label: t('pit.fromWhom'), choices: [...givers, ['', t('pit.somebodyElse')]] },
        { name: 'other', label: t('pit.otherName'), optional: true },
        { name: 'source', label: t('pit.countsFor'), choices: [...sources, ['', t('pit.nothingOfThese')]] },
      ],
      send,
      ({ values }) => ({
        type: 'gather-information',
        id,
        what: values['what'] ?? '',
        given_by: values['other'] || values['giver'] || t('pit.somebodyElse'),
        source: values['source'] || null,
      }),
    );
  },
  timeFrame: (id: number, send: Send) => {
    const units: [string, string][] = [
      ['minutes', t('pit.inMinutes')],
      ['hours', t('pit.inHours')],
      ['days', t('pit.inDays')],
    ];
    return askFor(
      t('pit.timeFrame'),
      [
        { name: 'number', label: t('pit.timeFrameIn'), kind: 'whole', least: 1, most: MOST_OF_A_UNIT },
        { name: 'unit', label: t('pit.timeFrameUnit'), choices: units },
      ],
      send,
      (given) => {
        const unit = given.values['unit'] ?? '';
        return { type: 'give-time-frame', id, minutes: numberIn(given, 'number') * (isUnit(unit) ? MINUTES[unit] : 1) };
      },
    );
  },
  noTimeFrame: (id: number, send: Send) =>
    askFor(t('pit.sayNoTimeFrame'), [{ name: 'text', label: t('pit.why') }], send, ({ values }) => ({
      type: 'say-no-time-frame',
      id,
      why: values['text'] ?? '',
    })),
  namePayee: ({ id, patron }: Dispute, send: Send) =>
    askFor(t('pit.namePayee'), [{ name: 'what', label: t('pit.payee') }], send, ({ values }) => ({
      type: 'gather-information',
      id,
      what: values['what'] ?? '',
      given_by: patron,
      source: PAYEE,
    })),
  payOut: ({ id, patron }: Dispute, send: Send) =>
    askFor(
      t('pit.payOut'),
      [
        { name: 'to', label: t('pit.paidTo'), value: patron },
        { name: 'how', label: t('pit.paidHow') },
      ],
      send,
      ({ values }) => ({ type: 'pay-award', id, way: 'payout', to: values['to'] ?? '', how: values['how'] ?? '' }),
    ),
  complain: (id: number, people: string[], send: Send) =>
    askFor(
      t('pit.fileComplaint'),
      [
        { name: 'text', label: t('pit.complaint') },
        { name: 'helper', label: t('pit.helper'), choices: people.map((each) => [each, postName(each)]) },
      ],
      send,
      ({ values }) => ({
        type: 'file-complaint',
        id,
        text: values['text'] ?? '',
        helper: values['helper'] ?? '',
      }),
    ),
  answerComplaint: (id: number, fields: FieldAsked[], send: Send) =>
    askFor(t('pit.answerComplaint'), [{ name: 'text', label: t('pit.complaintAnswer') }, ...fields], send, (given) => ({
      type: 'answer-complaint',
      id,
      answer: given.values['text'] ?? '',
      award: numberIn(given, 'award'),
    })),
};
