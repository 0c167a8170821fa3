import type { ScanItem } from '@porchlight/contract/scan.ts';

type Seen = Pick<ScanItem, 'name' | 'certainty' | 'did' | 'blocked'>;

/** How many names an email lists; the others are counted. */
const most = 3;

/** What was found, each family once: `AnyDesk, TeamViewer`, `AnyDesk and 12 more`. What is not blocked comes first: it must not be among the others. */
export function namesOf(items: Seen[], atMost = most): string {
  const first = items.toSorted((a, b) => Number(a.blocked) - Number(b.blocked));
  const sure = new Set(items.filter(({ certainty }) => certainty === 'certain').map(({ name }) => name));
  const names = [...new Set(first.map(({ name }) => (sure.has(name) ? name : `what looks like ${name}`)))];
  const shown = names.slice(0, atMost).join(', ');
  return names.length > atMost ? `${shown} and ${names.length - atMost} more` : shown;
}

export const allBlocked = (items: Seen[]): boolean => items.every(({ blocked }) => blocked);

/** `AnyDesk was found on Den PC and blocked`, `Not blocked: AnyDesk on Den PC`. */
export function title(items: Seen[], device: string): string {
  const names = namesOf(items, 2);
  if (!allBlocked(items)) return `Not blocked: ${names} on ${device}`;
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} ${countOf(items) === 1 ? 'was' : 'were'} found on ${device} and blocked`;
}

export function did(items: Seen[]): string {
  const [done, left, told] = [
    items.filter(({ blocked }) => blocked),
    items.filter((item) => item.did === 'left'),
    items.filter((item) => item.did === 'told'),
  ];
  return [
    done.length ? 'We made sure it can’t start.' : '',
    left.length ? `We couldn’t remove ${namesOf(left, 1)}.` : '',
    told.length ? `The profile lets ${namesOf(told, 1)} stay.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

export function over(items: Seen[]): string {
  return allBlocked(items) ? 'Yes. We’ll keep watching.' : 'Not all of it.';
}

function countOf(items: Seen[]): number {
  return new Set(items.map(({ name }) => name)).size;
}
