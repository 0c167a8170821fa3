import type { ScanItem } from '@porchlight/contract/scan.ts';

type ScannedItem = Pick<ScanItem, 'name' | 'certainty' | 'did' | 'blocked'>;

/** How many names an email lists; the others are counted. */
const namesMax = 3;

/** `AnyDesk, TeamViewer`, `AnyDesk and 12 more`. Unblocked programs come first, and are always named. */
export function namesOf(items: ScannedItem[], atMost = namesMax): string {
  const sortedItems = items.toSorted((a, b) => Number(a.blocked) - Number(b.blocked));
  const certainNames = new Set(items.filter(({ certainty }) => certainty === 'certain').map(({ name }) => name));
  const names = [...new Set(sortedItems.map(({ name }) => (certainNames.has(name) ? name : `what looks like ${name}`)))];
  const shownNames = names.slice(0, atMost).join(', ');
  return names.length > atMost ? `${shownNames} and ${names.length - atMost} more` : shownNames;
}

export const allBlocked = (items: ScannedItem[]): boolean => items.every(({ blocked }) => blocked);

/** `AnyDesk was found on Den PC and blocked`, `Not blocked: AnyDesk on Den PC`. */
export function title(items: ScannedItem[], device: string): string {
  const names = namesOf(items, 2);
  if (!allBlocked(items)) return `Not blocked: ${names} on ${device}`;
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} ${countOf(items) === 1 ? 'was' : 'were'} found on ${device} and blocked`;
}

export function describeReaction(items: ScannedItem[]): string {
  const [blockedItems, runningItems, onlyReported] = [
    items.filter(({ blocked }) => blocked),
    items.filter((item) => item.did === 'left'),
    items.filter((item) => item.did === 'reported'),
  ];
  return [
    blockedItems.length ? 'We made sure it can’t start.' : '',
    runningItems.length ? `We couldn’t remove ${namesOf(runningItems, 1)}.` : '',
    onlyReported.length ? `The profile lets ${namesOf(onlyReported, 1)} stay.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

export function describeState(items: ScannedItem[]): string {
  return allBlocked(items) ? 'Yes. We’ll keep watching.' : 'Not all of it.';
}

function countOf(items: ScannedItem[]): number {
  return new Set(items.map(({ name }) => name)).size;
}
