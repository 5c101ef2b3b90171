/** The things that wait for somebody at a table, with how grave they are, since when, and the round; as the server says them. */
import type { Alert, Currency, DisputeDuty, View } from '../../api/types.ts';
import { sayAlert } from '../../lib/approving.ts';
import { list } from '../../lib/format.ts';
import { caseName, postName } from '../../lib/names.ts';
import { named, say, sayRefusal, t } from '../../lib/words.svelte.ts';

/** How grave something is: play or money waits for it; somebody must see to it; it is due by and by. */
export type Tone = 'bad' | 'warn' | 'plain';

export interface Waits {
  tone: Tone;
  what: string;
  /** The person or post that must see to it, where that is said. */
  who: string;
  clauses: string[];
  /** Since when, in microseconds since 1970, where that is known. */
  since: number | null;
  round: number | null;
  /** The alert that it is, to be acknowledged in place. */
  alert?: Alert;
  /** The table is held, to be released in place. */
  held?: true;
}

const ORDER: Record<Tone, number> = { bad: 0, warn: 1, plain: 2 };

/** Compare two of them: the gravest first, of those what waits longest. */
export function moreUrgent(a: Waits, b: Waits): number {
  return ORDER[a.tone] - ORDER[b.tone] || (a.since ?? Infinity) - (b.since ?? Infinity) || 0;
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

// alerts that only say that something happened: nobody waits for an answer
const TOLD = ['irregularity', 'wrong-call', 'card-corrected', 'wager-corrected', 'limit-breach'];

// what is owed to a patron
const OWED: DisputeDuty[] = ['pay', 'inspector', 'tell-right', 'receive-complaint', 'answer-complaint'];

/** Alerts that nobody has acknowledged. */
export function openAlerts(view: View | null): Alert[] {
  return (view?.alerts?.alerts ?? []).filter((each) => each.acknowledged_by === null);
}

/** Everything that waits at a table, the gravest first. */
export function waitingAt(view: View | null): Waits[] {
  if (view === null) return [];
  const alerts = ofAlerts(view, view.setup.currency);
  const found = [...ofPlay(view), ...ofCases(view), ...alerts, ...ofBoxes(view), ...ofDisputes(view)];
  return found.sort(moreUrgent);
}

function ofPlay(view: View): Waits[] {
  const { phase, desk, running } = view;
  const here = { who: '', clauses: [], since: running?.since ?? null, round: phase.round };
  const found: Waits[] = [];
  if (phase.stopped)
    found.push({ ...here, tone: 'bad', what: t('pit.stopped', { reason: desk?.stopped_reason ?? '' }), since: null });
  if (phase.held) found.push({ ...here, tone: 'bad', what: t('pit.held'), held: true });
  else if (phase.paused)
    found.push({ ...here, tone: 'warn', what: t('pit.isPaused', { reason: desk?.pause_reason ?? '' }) });
  if (phase.gap)
    found.push({ ...here, tone: 'warn', what: t('pit.gap', { heavier: named('hand', phase.gap.heavier) }) });
  if (phase.offer) {
    const { answered, asked, clause } = phase.offer;
    found.push({ ...here, tone: 'warn', what: t('pit.offerAnswered', { answered, asked }), clauses: [clause] });
  }
  const stuck = running?.pending?.why_not;
  if (stuck) found.push({ ...here, tone: 'warn', what: t('pit.changeStuck', { why: sayRefusal(stuck) }), since: null });
  return found;
}

function ofCases(view: View): Waits[] {
  const alerts = view.alerts?.alerts ?? [];
  return (view.desk?.cases ?? []).map((each) => {
    const name = caseName(each);
    const told = alerts.filter((alert) => alert.case === each.id);
    return {
      tone: each.blocks ? 'bad' : 'warn',
      what: each.waits ? t('pit.caseWaits', { situation: name, what: say(`wait.${each.waits}`) }) : name,
      who: each.post ? postName(each.post) : '',
      clauses: each.clause ? [each.clause] : [],
      since: told.length ? Math.min(...told.map((alert) => alert.recorded.wall_time)) : null,
      round: told[0]?.round ?? view.phase.round,
    };
  });
}

function ofAlerts(view: View, currency: Currency): Waits[] {
  return openAlerts(view)
    .filter((alert) => !SHOWN[alert.kind]?.(view))
    .map((alert) => ({
      tone: TOLD.includes(alert.kind) ? 'plain' : 'warn',
      what: sayAlert(alert, currency),
      who: view.alerts ? postName(view.alerts.post) : '',
      clauses: alert.clauses,
      since: alert.recorded.wall_time,
      round: alert.round,
      alert,
    }));
}

function ofBoxes(view: View): Waits[] {
  return (view.chips?.overdue ?? []).map(({ inventory, since }) => ({
    tone: 'warn',
    what: t('pit.boxOverdue', { number: inventory }),
    who: '',
    clauses: [],
    since,
    round: null,
  }));
}

function ofDisputes(view: View): Waits[] {
  return (view.disputes?.disputes ?? []).flatMap(({ dispute, due }) => {
    const told = openAlerts(view).find(
      ({ kind, what }) =>
        kind === 'dispute-opened' && what.params.some(([name, value]) => name === 'dispute' && value === dispute.id),
    );
    // an award that nobody has paid and a complaint without an answer are owed also when all else is done
    const owed = due.filter(({ duty }) => OWED.includes(duty));
    return [...new Set([...due.slice(0, 1), ...owed])].map((each): Waits => {
      const step = t(`pit.duty_${each.duty}`);
      return {
        tone: owed.includes(each) ? 'warn' : 'plain',
        what: t('pit.disputeWaits', { id: dispute.id, patron: dispute.patron, step }),
        who: list(each.posts.map(postName)),
        clauses: each.clauses,
        since: told?.recorded.wall_time ?? null,
        round: dispute.round || null,
      };
    });
  });
}
