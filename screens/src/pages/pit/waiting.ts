/** The things that wait for somebody at a table, the most pressing first, as the server says them. */
import type { Alert, DisputeDuty, View } from '../../api/types.ts';
import { sayAlert } from '../../lib/approving.ts';
import { list } from '../../lib/format.ts';
import { caseName, postName } from '../../lib/names.ts';
import { named, say, t } from '../../lib/words.svelte.ts';

export interface Waits {
  tone: 'bad' | 'warn' | 'plain';
  what: string;
  /** The person or post that must see to it, where that is said. */
  who: string;
  clauses: string[];
  /** The alert that it is, to be acknowledged in place. */
  alert?: Alert;
}

// alerts that stand in the list anyway, as what they are about, as long as that lasts
const SHOWN: Record<string, (view: View) => boolean> = {
  irregularity: ({ phase }) => phase.case !== null,
  'ruling-awaited': () => true,
  'offer-open': () => true,
  'differential-exceeded': ({ phase }) => phase.gap !== null,
  'dispute-opened': () => true,
  'complaint-filed': () => true,
};

// what is owed to a patron
const OWED: DisputeDuty[] = ['pay', 'inspector', 'tell-right', 'receive-complaint', 'answer-complaint'];

/** Alerts that nobody has acknowledged. */
export function openAlerts(view: View | null): Alert[] {
  return (view?.alerts?.alerts ?? []).filter((each) => each.acknowledged_by === null);
}

/** Everything that waits at a table. */
export function waitingAt(view: View | null): Waits[] {
  if (view === null) return [];
  const { phase, desk, disputes } = view;
  const found: Waits[] = [];
  const add = (tone: Waits['tone'], what: string, who = '', clauses: string[] = []): void => {
    found.push({ tone, what, who, clauses });
  };
  if (phase.stopped) add('bad', t('pit.stopped', { reason: desk?.stopped_reason ?? '' }));
  for (const each of desk?.cases ?? []) {
    const { waits, post, clause, blocks } = each;
    const name = caseName(each);
    const what = waits ? t('pit.caseWaits', { situation: name, what: say(`wait.${waits}`) }) : name;
    add(blocks ? 'bad' : 'warn', what, post ? postName(post) : '', clause ? [clause] : []);
  }
  if (phase.held) add('warn', t('pit.held'));
  else if (phase.paused) add('warn', t('pit.isPaused', { reason: desk?.pause_reason ?? '' }));
  if (phase.gap) add('warn', t('pit.gap', { heavier: named('hand', phase.gap.heavier) }));
  if (phase.offer)
    add('warn', t('pit.offerAnswered', { answered: phase.offer.answered, asked: phase.offer.asked }), '', [
      phase.offer.clause,
    ]);
  for (const alert of openAlerts(view)) {
    if (SHOWN[alert.kind]?.(view)) continue;
    found.push({
      tone: 'warn',
      what: sayAlert(alert, view.setup.currency),
      who: view.alerts ? postName(view.alerts.post) : '',
      clauses: alert.clauses,
      alert,
    });
  }
  if (disputes) {
    for (const { dispute, due } of disputes.disputes) {
      // an award that nobody has paid and a complaint without an answer are owed also when all else is done
      const owed = due.filter(({ duty }) => OWED.includes(duty));
      for (const each of new Set([...due.slice(0, 1), ...owed])) {
        const { duty, clauses } = each;
        const posts = list(each.posts.map(postName));
        const what = t('pit.disputeWaits', { id: dispute.id, patron: dispute.patron, step: t(`pit.duty_${duty}`) });
        add(owed.includes(each) ? 'warn' : 'plain', what, posts, clauses);
      }
    }
  }
  return found;
}
