import type { FoundListing, StampedFile, StartUpPlace } from '../os/port.ts';
import type { Did, Found } from '../state/stored-findings.ts';
import type { StoredFinding } from './detectors/detector.ts';

type Why = NonNullable<Found['why']>;
type Outcome = { done: true; uuid: string } | { done: false; why: Why };
type DefinitionRef = Pick<Found, 'identifier' | 'name' | 'category' | 'certainty'>;

/** How things are taken out of use so that they can come back. */
export interface QuarantineActions {
  takeFile(file: Partial<StampedFile> & { path: string; sha256?: string }, whose: DefinitionRef): Promise<Outcome>;
  takeStartUp(entry: FoundListing['start_up'][number], whose: DefinitionRef): Promise<Outcome>;
  stopService(service: FoundListing['services'][number], whose: DefinitionRef): Promise<Outcome>;
}

/** What was done about one entry. `held`: what can be put back. */
export interface Taken {
  did: Did;
  held: string[];
  why?: Why;
}

/** Takes one entry out of use. Null when there was nothing to do: it is off, or went with another entry. */
export async function takeAway(
  { listing, decision: { kind, at }, match }: StoredFinding,
  quarantine: QuarantineActions,
): Promise<Taken | null> {
  const one = <T>(list: T[]) => list[at] as T;
  switch (kind) {
    case 'services':
      return taken('stopped', [await quarantine.stopService(one(listing.services), match)]);
    case 'start_up':
      return taken('start_up_removed', [await quarantine.takeStartUp(one(listing.start_up), match)]);
    case 'downloads':
      return taken('put_away', [await quarantine.takeFile(one(listing.downloads), match)]);
    case 'programs': {
      const { files, package: by } = one(listing.programs);
      // A package manager alone takes away what it installed: otherwise its records are wrong, and it brings the files back.
      if (by !== undefined || !files?.length) return { did: 'kept_from_running', held: [] };
      const outcomes: Outcome[] = [];
      for (const file of files) outcomes.push(await quarantine.takeFile(file, match));
      return taken('put_away', outcomes);
    }
  }
}

function taken(did: Did, outcomes: Outcome[]): Taken | null {
  const held = outcomes.flatMap((outcome) => (outcome.done ? [outcome.uuid] : []));
  const failed = outcomes.flatMap((outcome) => (outcome.done || outcome.why === 'gone' ? [] : [outcome.why]));
  if (failed[0]) return { did: 'left', held, why: failed[0] };
  return held.length ? { did, held } : null;
}

/** What the user knows an entry by: its file, its key, or its service. */
export function entryOf({ listing, decision: { kind, at, name } }: StoredFinding): string {
  const place = kind === 'start_up' ? listing.start_up[at]?.place : undefined;
  const service = kind === 'services' ? listing.services[at] : undefined;
  const path = kind === 'downloads' ? listing.downloads[at]?.path : kind === 'programs' ? listing.programs[at]?.path : undefined;
  const entry = (place && placeOf(place)) ?? path ?? (service?.user === undefined ? name : `${service.user}: ${name}`);
  return entry.slice(0, 1000);
}

function placeOf(place: StartUpPlace): string {
  if ('key' in place) return `${place.key}\\${place.value}`;
  return 'line' in place ? `${place.file}: ${place.line}` : place.file;
}
