import type { Match } from '@porchlight/definitions/format.ts';
import type { CompiledSet } from '@porchlight/definitions/match.ts';
import { decideRemoval } from '@porchlight/definitions/remove.ts';
import type { Decision, RemovalPolicy } from '@porchlight/definitions/remove-shapes.ts';
import type { FoundListing, StampedFile, StartUpPlace } from '../os/port.ts';
import { type Did, type Found, keyOf } from './found.ts';

type Why = NonNullable<Found['why']>;
type Outcome = { done: true; uuid: string } | { done: false; why: Why };
type DefinitionRef = Pick<Found, 'identifier' | 'name' | 'category' | 'certainty'>;

/** How things are taken out of use so that they can come back. */
export interface QuarantineActions {
  takeFile(file: Partial<StampedFile> & { path: string; sha256?: string }, whose: DefinitionRef): Promise<Outcome>;
  takeStartUp(entry: FoundListing['start_up'][number], whose: DefinitionRef): Promise<Outcome>;
  stopService(service: FoundListing['services'][number], whose: DefinitionRef): Promise<Outcome>;
}

/** First what starts it again, then what it is. */
const order: Decision['kind'][] = ['services', 'start_up', 'programs', 'downloads'];

/**
 * Looks once at all that lies on a computer, and takes out of use what is to go (P4.1). Answers what was found, whether or not something could be done;
 * never what is allowed, ignored, or part of the system. `asked`: keys of what somebody asked back, which is left alone.
 */
export async function scanOnce(
  listing: FoundListing,
  policy: RemovalPolicy,
  set: CompiledSet,
  parts: { taking: QuarantineActions; now: () => Date; asked: Set<string> },
): Promise<Found[]> {
  const all: Found[] = [];
  const decisions = decideRemoval(listing, policy, set, parts.now());
  for (const decision of order.flatMap((kind) => decisions.filter((one) => one.kind === kind))) {
    const { kind, match } = decision;
    if (!match || (decision.verdict === 'stays' && decision.reason !== 'alert_only' && decision.reason !== 'only_likely')) continue;
    const entry = entryOf(listing, decision);
    if (parts.asked.has(keyOf({ kind, entry }))) continue;
    const outcome =
      decision.verdict === 'goes' ? await takeAway(listing, decision, match, parts.taking) : { did: 'told' as const, held: [] };
    if (!outcome) continue;
    const { identifier, name, category, certainty } = match;
    all.push({ kind, identifier, name, category, certainty, entry, time: parts.now().toISOString(), ...outcome });
  }
  return all;
}

interface Taken {
  did: Did;
  held: string[];
  why?: Why;
}

/** Null when there was nothing to do: it is off, or went with another entry. */
async function takeAway(listing: FoundListing, { kind, at }: Decision, match: Match, taking: QuarantineActions): Promise<Taken | null> {
  const one = <T>(list: T[]) => list[at] as T;
  switch (kind) {
    case 'services':
      return said('stopped', [await taking.stopService(one(listing.services), match)]);
    case 'start_up':
      return said('start_up_removed', [await taking.takeStartUp(one(listing.start_up), match)]);
    case 'downloads':
      return said('put_away', [await taking.takeFile(one(listing.downloads), match)]);
    case 'programs': {
      const { files, package: by } = one(listing.programs);
      // What a package manager installed it alone takes away: otherwise its books are wrong, and it brings it back.
      if (by !== undefined || !files?.length) return { did: 'kept_from_running', held: [] };
      const detectionReporter: Outcome[] = [];
      for (const file of files) detectionReporter.push(await taking.takeFile(file, match));
      return said('put_away', detectionReporter);
    }
  }
}

function said(did: Did, detectionReporter: Outcome[]): Taken | null {
  const held = detectionReporter.flatMap((outcome) => (outcome.done ? [outcome.uuid] : []));
  const failed = detectionReporter.flatMap((outcome) => (outcome.done || outcome.why === 'gone' ? [] : [outcome.why]));
  if (failed[0]) return { did: 'left', held, why: failed[0] };
  return held.length ? { did, held } : null;
}

function entryOf(listing: FoundListing, { kind, at, name }: Decision): string {
  const place = kind === 'start_up' ? listing.start_up[at]?.place : undefined;
  const service = kind === 'services' ? listing.services[at] : undefined;
  const path = kind === 'downloads' ? listing.downloads[at]?.path : kind === 'programs' ? listing.programs[at]?.path : undefined;
  const said = (place && placeOf(place)) ?? path ?? (service?.user === undefined ? name : `${service.user}: ${name}`);
  return said.slice(0, 1000);
}

function placeOf(place: StartUpPlace): string {
  if ('key' in place) return `${place.key}\\${place.value}`;
  return 'line' in place ? `${place.file}: ${place.line}` : place.file;
}
