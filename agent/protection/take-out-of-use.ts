import type { FoundListing, StampedFile, StartUpLocation } from '../os/port.ts';
import type { Did, Found } from '../state/stored-findings.ts';
import type { StoredFinding } from './detectors/detector.ts';

type Why = NonNullable<Found['why']>;
type Outcome = { done: true; uuid: string } | { done: false; why: Why };
type DefinitionRef = Pick<Found, 'identifier' | 'name' | 'category' | 'certainty'>;

export interface QuarantineActions {
  takeFile(file: Partial<StampedFile> & { path: string; sha256?: string }, whose: DefinitionRef): Promise<Outcome>;
  takeStartUp(entry: FoundListing['start_up'][number], whose: DefinitionRef): Promise<Outcome>;
  stopService(service: FoundListing['services'][number], whose: DefinitionRef): Promise<Outcome>;
}

export interface Taken {
  did: Did;
  held: string[];
  why?: Why;
}

/** Takes one entry out of use. Null when nothing was left to do: the entry is disabled already, or was removed with another entry. */
export async function takeOutOfUse(
  { listing, decision: { kind, at }, match }: StoredFinding,
  quarantine: QuarantineActions,
): Promise<Taken | null> {
  const entryAt = <T>(list: T[]) => list[at] as T;
  switch (kind) {
    case 'services':
      return takenOf('stopped', [await quarantine.stopService(entryAt(listing.services), match)]);
    case 'start_up':
      return takenOf('start_up_removed', [await quarantine.takeStartUp(entryAt(listing.start_up), match)]);
    case 'downloads':
      return takenOf('put_away', [await quarantine.takeFile(entryAt(listing.downloads), match)]);
    case 'programs': {
      const { files, package: by } = entryAt(listing.programs);
      // Only the package manager may remove what it installed: otherwise its records are wrong and it may restore the files.
      if (by !== undefined || !files?.length) return { did: 'kept_from_running', held: [] };
      const outcomes: Outcome[] = [];
      for (const file of files) outcomes.push(await quarantine.takeFile(file, match));
      return takenOf('put_away', outcomes);
    }
  }
}

function takenOf(did: Did, outcomes: Outcome[]): Taken | null {
  const quarantined = outcomes.flatMap((outcome) => (outcome.done ? [outcome.uuid] : []));
  const failed = outcomes.flatMap((outcome) => (outcome.done || outcome.why === 'gone' ? [] : [outcome.why]));
  if (failed[0]) return { did: 'left', held: quarantined, why: failed[0] };
  return quarantined.length ? { did, held: quarantined } : null;
}

/** The text that identifies an entry for the user: its file, registry key, or service. */
export function entryOf({ listing, decision: { kind, at, name } }: StoredFinding): string {
  const location = kind === 'start_up' ? listing.start_up[at]?.place : undefined;
  const service = kind === 'services' ? listing.services[at] : undefined;
  const path = kind === 'downloads' ? listing.downloads[at]?.path : kind === 'programs' ? listing.programs[at]?.path : undefined;
  const entry = (location && placeOf(location)) ?? path ?? (service?.user === undefined ? name : `${service.user}: ${name}`);
  return entry.slice(0, 1000);
}

function placeOf(location: StartUpLocation): string {
  if ('key' in location) return `${location.key}\\${location.value}`;
  return 'line' in location ? `${location.file}: ${location.line}` : location.file;
}
