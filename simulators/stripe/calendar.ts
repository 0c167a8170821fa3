export const day = 86_400;

/** A point of the calendar in UTC, `months` after another one: the same day of the month, or the last day of a month that is too short. Seconds. */
export function monthsAfter(anchor: number, months: number): number {
  const from = new Date(anchor * 1000);
  const month = from.getUTCMonth() + months;
  const last = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), last));
  return midnight / 1000 + (anchor % day);
}

/** The first turn of a rhythm that began at `anchor` which lies after `moment`. Counted from the anchor, so that a short month shortens no later one. */
export function nextTurn(anchor: number, moment: number, interval: 'month' | 'year'): number {
  const step = interval === 'year' ? 12 : 1;
  let n = Math.max(1, Math.floor((moment - anchor) / (32 * day * step)));
  while (monthsAfter(anchor, n * step) <= moment) n += 1;
  return monthsAfter(anchor, n * step);
}
