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

/** Have the address name a part, and in it an exercise. */
export function nameInAddress(part: string, exercise = ''): void {
  const query = new URLSearchParams(location.search);
  for (const gone of ['record', 'exercise']) query.delete(gone);
  query.set('part', part);
  if (exercise) query.set('exercise', exercise);
  history.replaceState(null, '', `?${query.toString()}`);
}
