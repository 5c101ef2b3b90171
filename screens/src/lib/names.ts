/** The names of things in the rule documents: in English as printed, in other languages as people say. */
import type { Card, MarkCount, OpenCase, Suit, WagerOffered } from '../api/types.ts';
import { allOf, printedNumber } from './format.ts';
import { inWords, named, say, t } from './words.svelte.ts';

/** A game, by its id and its printed name. */
export function gameName(game: string, printed: string): string {
  return named('game', game.replace('/', '-'), printed);
}

/** A wager. */
export function wagerName(wager: Pick<WagerOffered, 'id' | 'name'>): string {
  return named('wager', wager.id, wager.name);
}

/** A wager by its id alone, among those on offer. */
export function wagerById(id: string, offered: WagerOffered[]): string {
  return wagerName(offered.find((each) => each.id === id) ?? { id, name: id });
}

/** A special result: the wager that it pays, and the number of cards where that matters. */
export function markName(mark: MarkCount['mark'], offered: WagerOffered[]): string {
  const whole = offered.find((each) => each.id === mark);
  if (whole) return wagerName(whole);
  const [, id = mark, cards = ''] = /^(.+)-(\d+)$/.exec(mark) ?? [];
  return t('common.withCards', { wager: wagerById(id, offered), cards });
}

/** A post of the ladder, or an office; a post that only a house has by its id in words. */
export function postName(post: string): string {
  return named('post', post, named('office', post, inWords(post)));
}

/** Return a decision in words: one of the usual decisions, a permission, or the order of cards. */
export function decisionName(choice: string): string {
  if (choice === 'order') return t('case.orderRuled');
  return say(choice === 'allow' || choice === 'deny' ? `ruling.${choice}` : `preset.${choice}`);
}

/** Return the name of the person who acted, with the second person where two did. */
export function peopleNames(by: string, second: string | null | undefined): string {
  return allOf([by, second].flatMap((each) => (each ? [postName(each)] : [])));
}

/** Return the name of an irregularity: its situation, or what the table noticed where no rule covers it. */
export function caseName({ situation, cause }: Pick<OpenCase, 'situation' | 'cause'>): string {
  return cause ? say(`cause.${cause}`) : say(`situation.${situation}`);
}

/** Return what came of a round, as it stands by itself. */
export function winnerName(winner: 'banker' | 'player' | 'tie'): string {
  return alone(say(`winner.${winner}`));
}

/** Return how far the round is, as it stands by itself. */
export function phaseName(phase: string): string {
  return alone(say(`phase.${phase}`));
}

/** Words of a sentence where they stand by themselves. */
function alone(said: string): string {
  return said.slice(0, 1).toUpperCase() + said.slice(1);
}

/** The letters of scoreboards in English, for a language in which two of the three names begin alike. */
const PRINTED = { banker: 'B', player: 'P', tie: 'T' } as const;

/** The letter for who won, as the roads have it: B, P and T, or 庄, 闲 and 和. */
export function initial(winner: keyof typeof PRINTED): string {
  const [banker, player, tie] = [say('hand.banker'), say('hand.player'), say('road.tie')].map(([letter]) => letter);
  return (new Set([banker, player, tie]).size === 3 && { banker, player, tie }[winner]) || PRINTED[winner];
}

const ODDS = /^([\d.]+) to (\d+)$/;

/** Odds as they are said in the language: 12 to 1. */
export function oddsText(odds: string): string {
  const [, gain, stake] = ODDS.exec(odds) ?? [];
  return gain && stake ? t('common.odds', { gain: printedNumber(gain), stake: printedNumber(stake) }) : odds;
}

/** Return the odds of a wager as printed on cloth: 12:1, or 4/20/100:1 where it pays differently. */
export function shortPays({ pays }: WagerOffered): string {
  const odds = [...new Set(pays.flatMap((pay) => (pay.odds ? [pay.odds] : [])))].map((each) => each.split(' to '));
  if (odds.every(([, stake]) => stake === '1')) return printedNumber(`${odds.map(([gain]) => gain).join('/')}:1`);
  return odds.map((each) => printedNumber(each.join(':'))).join(' / ');
}

const SUIT_NAMES = { S: 'card.suitS', H: 'card.suitH', D: 'card.suitD', C: 'card.suitC' } as const;

/** A suit by name. */
export function suitName(suit: Suit): string {
  return t(SUIT_NAMES[suit]);
}

/** A card by name, as it is read aloud. */
export function cardName(face: Card): string {
  return t('card.name', { rank: t(`card.rank${face.rank}`), suit: face.suit ? suitName(face.suit) : '' });
}
