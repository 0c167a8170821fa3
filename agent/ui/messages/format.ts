/** `9:05 PM` */
export const clock = (when: Date): string => when.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' }).replace(/\s/g, ' ');

/** `Saturday, November 21, 9:05 PM` */
export const dayAndClock = (when: Date): string =>
  `${when.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' })}, ${clock(when)}`;

/** `Bob and Carol`; names at most five people. */
export function names(people: string[]): string {
  const shownNames = people.length > 5 ? [...people.slice(0, 4), `${people.length - 4} others`] : people;
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(shownNames);
}

/** `Bob or Carol`; names at most two people. */
export const someOf = (people: string[]): string => new Intl.ListFormat('en-US', { type: 'disjunction' }).format(people.slice(0, 2));

export const capitalized = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
