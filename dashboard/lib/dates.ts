const day = 24 * 3_600_000;

/** A moment in words: `tomorrow 14:05`, `today 14:05`, `yesterday 14:05`, `Tuesday 14:05`, `Tuesday 3 March`, with the year when it is another one. */
export function inWords(moment: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(moment)) / day);
  if (days === 0) return `today ${clock(moment)}`;
  if (days === -1) return `tomorrow ${clock(moment)}`;
  if (days === 1) return `yesterday ${clock(moment)}`;
  if (days > 1 && days < 7) return `${format(moment, { weekday: 'long' })} ${clock(moment)}`;
  const year = moment.getFullYear() === now.getFullYear() ? '' : ` ${moment.getFullYear()}`;
  return `${format(moment, { weekday: 'long' })} ${moment.getDate()} ${format(moment, { month: 'long' })}${year}`;
}

/** `03/09/2026`: the dates of subscriptions (9.3). In UTC as Stripe counts, so that every page and email names the same day. */
export function shortDate(moment: Date): string {
  const [year, month, day] = moment.toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

/** `14:05` */
export function clock(moment: Date): string {
  return `${String(moment.getHours()).padStart(2, '0')}:${String(moment.getMinutes()).padStart(2, '0')}`;
}

/** `morning`, `afternoon`, `evening`. */
export function partOfDay(now: Date): 'morning' | 'afternoon' | 'evening' {
  if (now.getHours() < 12) return 'morning';
  return now.getHours() < 18 ? 'afternoon' : 'evening';
}

function startOfDay(moment: Date): number {
  // As UTC, so that a day with a change of the clocks has 24 hours here too.
  return Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate());
}

function format(moment: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', options).format(moment);
}
