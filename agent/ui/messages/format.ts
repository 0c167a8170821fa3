/** `9:05 PM` */
export const clock = (when: Date): string => when.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' }).replace(/\s/g, ' ');

/** `Saturday, November 21, 9:05 PM` */
export const dayAndClock = (when: Date): string =>
  `${when.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' })}, ${clock(when)}`;

/** `Bob and Carol`; of many the first ones. */
export function names(all: string[]): string {
  const some = all.length > 5 ? [...all.slice(0, 4), `${all.length - 4} others`] : all;
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(some);
}

/** `Bob or Carol`: any of them will do, and two are enough to read. */
export const someOf = (all: string[]): string => new Intl.ListFormat('en-US', { type: 'disjunction' }).format(all.slice(0, 2));

/** At the beginning of a sentence. */
export const named = (who: string): string => `${who.slice(0, 1).toUpperCase()}${who.slice(1)}`;
