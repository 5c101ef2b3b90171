/**
 * The sections of the server's sentences that screens say; every language has all keys of them. Games and wagers
 * are called in English as the documents print them, so only other languages have those.
 */
export const SECTIONS = [
  'alarm',
  'alert',
  'area',
  'call',
  'card-state',
  'carried-out',
  'cause',
  'circumstance',
  'device',
  'dispute',
  'drill-pack',
  'duty',
  'effect',
  'equipment',
  'event',
  'fact',
  'free-hand',
  'game',
  'hand',
  'handed-back',
  'need',
  'new-cards',
  'office',
  'outcome',
  'pairs',
  'phase',
  'post',
  'preset',
  'question',
  'receipt',
  'record-check',
  'refusal',
  'result',
  'road',
  'ruling',
  'said',
  'situation',
  'stage',
  'train-fault',
  'train-skill',
  'train-why',
  'wager',
  'wager-kind',
  'wait',
  'winner',
  'withdraw',
] as const;

/** The parts in which pages load the screens' own words, with their sections; a page names those that it reads. */
export const PARTS = {
  terminal: ['terminal'],
  staff: ['dealer', 'pit'],
  cases: ['case'], // of irregularities, with alarms and alerts
  records: ['records'],
  reports: ['report'], // read once somebody opens them
  training: ['training'],
  trainer: ['trainer'], // at tables with a trainer alone
  lobby: ['start', 'display'],
  display: ['display'],
  tour: ['tour'], // on every page, while somebody is on the tour
  deeds: ['deed'], // what people did, which the server says in dossiers too
};
/** The server's sentences that come with a part: of events, everybody reads only how wagers ended. */
export const SENTENCES_OF = {
  cases: /^(alarm|alert|circumstance|duty|equipment|question|record-check)\./,
  deeds: /^event\.(?!wager-)/,
  training: /^(train-|drill-pack\.)/,
};
export type Part = keyof typeof PARTS;
