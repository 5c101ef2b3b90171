/** The moments that must be said aloud at the console: chips that went back, calls, new cards. */
import type { Moment, MomentAt, SetupSection } from '../../../api/types.ts';
import { allOf, amount } from '../../../lib/format.ts';
import { caseName, decisionName, peopleNames, wagerById } from '../../../lib/names.ts';
import { note } from '../../../lib/notes.svelte.ts';
import { named, t } from '../../../lib/words.svelte.ts';
import type { Console } from '../console.svelte.ts';

/** Put up a note for everything that a dealer must not miss; what was missed meanwhile is in the view. */
export function noteMoments(moments: MomentAt[], anew: boolean, desk: Console): void {
  if (anew || desk.view === null) return;
  for (const { what } of moments) noteMoment(what, desk);
}

/** Name the patron, the wager and the amount of a moment about chips. */
function chipsIn(what: { patron: string; wager: string; amount: number }, { wagers, currency }: SetupSection) {
  return { patron: what.patron, wager: wagerById(what.wager, wagers), amount: amount(what.amount, currency) };
}

function noteMoment(what: Moment, desk: Console): void {
  const setup = desk.section('setup');
  switch (what.kind) {
    case 'wager-handed-back':
      note(
        t('dealer.handedBack', { ...chipsIn(what, setup), why: named('handed-back', what.why) }),
        'bad',
        what.clauses ?? [],
      );
      desk.keys.stop();
      break;
    case 'wager-pulled-late':
      note(t('dealer.pulledLate', chipsIn(what, setup)), 'bad', what.clauses ?? []);
      break;
    case 'wager-found':
      note(t('dealer.foundNoted', chipsIn(what, setup)), 'good', what.clauses ?? []);
      break;
    case 'patron-marked':
      note(t('dealer.markedNoted', { patron: what.patron }), 'plain', what.clauses ?? []);
      break;
    case 'cards-burned':
      note(t('dealer.burnedNoted', { count: what.count }), 'plain', what.clauses ?? []);
      break;
    case 'cutting-card-seen':
      note(t('dealer.cuttingNoted'), 'plain', what.clauses ?? []);
      break;
    case 'irregularity-reported':
      if (what.by === setup.table)
        note(
          t('case.noticedNote', { situation: caseName({ situation: what.situation, cause: what.cause ?? null }) }),
          'bad',
          what.clauses ?? [],
        );
      break;
    case 'round-voided':
      note(t('dealer.roundIsVoid', { round: what.number }), 'bad', what.clauses ?? []);
      break;
    case 'card-corrected':
      note(
        t('case.correctedNote', { number: what.number, people: peopleNames(what.by ?? '', what.second) }),
        'good',
        what.clauses ?? [],
      );
      break;
    case 'facts-confirmed':
      note(t('case.act-confirmed', { person: peopleNames(what.by ?? '', what.second) }), 'plain', what.clauses ?? []);
      break;
    case 'report-withdrawn':
      note(t('case.act-withdrawn', { person: peopleNames(what.by ?? '', what.second) }), 'plain', what.clauses ?? []);
      break;
    case 'facts-disproved':
      note(
        t('case.act-found', { person: peopleNames(what.by ?? '', what.second), text: what.found ?? '' }),
        'plain',
        what.clauses ?? [],
      );
      break;
    case 'ruling-made':
      note(
        t('case.ruled', {
          person: peopleNames(what.by ?? '', what.second),
          choices: allOf([what.choice, ...what.also].map(decisionName)),
        }),
        'plain',
        what.clauses ?? [],
      );
      break;
    case 'case-closed':
      note(t('dealer.caseClosed'), 'good');
      break;
  }
}
