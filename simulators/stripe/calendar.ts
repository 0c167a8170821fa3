export const day = 86_400;

/** `months` after `anchor`, in UTC: the same day of the month, or the last day of a shorter month. Unix seconds. */
export function monthsAfter(anchor: number, months: number): number {
  const anchorDate = new Date(anchor * 1000);
  const month = anchorDate.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(anchorDate.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(anchorDate.getUTCFullYear(), month, Math.min(anchorDate.getUTCDate(), lastDay));
  return midnight / 1000 + (anchor % day);
}

/** The first period end after `moment`. Counted from the anchor, so that a short month shortens no later one. */
export function nextPeriodEnd(anchor: number, moment: number, interval: 'month' | 'year'): number {
  const step = interval === 'year' ? 12 : 1;
  let n = Math.max(1, Math.floor((moment - anchor) / (32 * day * step)));
  while (monthsAfter(anchor, n * step) <= moment) n += 1;
  return monthsAfter(anchor, n * step);
}
