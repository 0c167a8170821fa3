/** `03/09/2026` (9.3). In UTC as at Stripe, so that every page and email names the same day. */
export function shortDate(moment: Date): string {
  const [year, month, day] = moment.toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

/** Before 5 o'clock it is still the evening. */
export function partOfDay(now: Date): 'morning' | 'afternoon' | 'evening' {
  const hour = now.getHours();
  if (hour >= 5 && hour < 12) return 'morning';
  return hour >= 12 && hour < 18 ? 'afternoon' : 'evening';
}
