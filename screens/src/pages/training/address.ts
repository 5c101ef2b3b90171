/** The address of a part of the training page, so that a reload and a link lead to the same. */

/** The part that the address names; `?record` is that of the record as well. */
export function namedPart(): string {
  const query = new URLSearchParams(location.search);
  return query.has('record') ? 'record' : (query.get('part') ?? '');
}

/** The exercise that the address names. */
export function namedExercise(): string {
  return new URLSearchParams(location.search).get('exercise') ?? '';
}

/** The drill or the table with a trainer that the address names, by its session. */
export function namedSession(): string {
  return new URLSearchParams(location.search).get('session') ?? '';
}

/** What is under way in a part, by its id. */
interface UnderWay {
  exercise?: string;
  session?: string;
}

/** Have the address name a part, and what is under way in it. */
export function nameInAddress(part: string, underWay: UnderWay = {}): void {
  const query = new URLSearchParams(location.search);
  for (const gone of ['record', 'exercise', 'session']) query.delete(gone);
  query.set('part', part);
  for (const [name, id] of Object.entries(underWay)) query.set(name, String(id));
  history.replaceState(null, '', `?${query.toString()}`);
}
