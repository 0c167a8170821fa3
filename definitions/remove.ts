import { commandFile } from './command-file.ts';
import { fold } from './fold.ts';
import type { Definition, Match, ProgramSeen } from './format.ts';
import type { CompiledSet } from './index-marks.ts';
import { actionFor, exceptionFrom, matchProgram } from './match.ts';
import { matchService } from './match-service.ts';
import { isOutgoingBuild } from './outgoing.ts';
import type { Decision, Kind, Listing, Reason, RemovalPolicy, Step } from './remove-shapes.ts';

const steps: Record<Kind, Step> = {
  programs: 'uninstall',
  services: 'stop_and_disable',
  start_up: 'remove_start_up',
  downloads: 'quarantine',
};

/**
 * Decides which entries to remove (P4.1, P4.2): one decision per entry, in order. Pure. The free plan's policy limits removal to remote
 * control. Parts of the system always stay, and so do viewers and clients, which are decided when they start (P15.3).
 */
export function decideRemoval(listing: Listing, policy: RemovalPolicy, set: CompiledSet, now: Date): Decision[] {
  const { os } = listing;
  const decide = <E extends { name: string }>(
    kind: Kind,
    entries: E[],
    matchOf: (entry: E) => Match | null,
    isClient: (entry: E, outgoing: Definition['outgoing']) => boolean = () => false,
  ): Decision[] =>
    entries.map((listedEntry, at) => {
      const match = matchOf(listedEntry);
      const entry = { kind, at, name: listedEntry.name };
      if (!match) return { ...entry, verdict: 'stays', reason: 'no_match', match };
      const outgoing = set.outgoing.get(match.identifier);
      const isOnlyClient = outgoing !== undefined && isClient(listedEntry, outgoing);
      const stayReason = reasonToStay(match, policy, set, now) ?? (isOnlyClient ? { reason: 'only_outgoing' as const } : null);
      return stayReason ? { ...entry, verdict: 'stays', match, ...stayReason } : { ...entry, verdict: 'goes', step: steps[kind], match };
    });
  return [
    ...decide(
      'programs',
      listing.programs,
      (program) => matchInstalled(os, program, set),
      ({ name, version, bundle_id }, outgoing) =>
        outgoing.products.some((product) => fold(product) === productName(name, version)) ||
        (bundle_id !== undefined && isOutgoingBuild({ os, name, bundle_id }, outgoing)),
    ),
    ...decide('services', listing.services, (service) => matchService(os, service, set)),
    ...decide('start_up', listing.start_up, ({ command }) => matchProgram({ os, ...commandFile(command) }, set)),
    ...decide(
      'downloads',
      listing.downloads,
      (file) => matchProgram({ ...file, os }, set),
      (file, outgoing) => isOutgoingBuild({ ...file, os }, outgoing),
    ),
  ];
}

/** Matches an installed program by product and company, two weak marks, never by one. Its listed name is no file name, except perhaps on a Mac. */
function matchInstalled(
  os: ProgramSeen['os'],
  { name, publisher, version, path, bundle_id }: Listing['programs'][number],
  set: CompiledSet,
) {
  const product = productName(name, version);
  const seenProgram: ProgramSeen = { os, name: os === 'windows' ? '' : name, product };
  if (publisher !== undefined) seenProgram.company = publisher;
  if (path !== undefined) seenProgram.path = path;
  if (bundle_id !== undefined) seenProgram.bundle_id = bundle_id;
  const match = matchProgram(seenProgram, set);
  // Installers write any name into the list, so it is less than version information.
  return match?.why.length === 1 && /^(product|company)=/.test(match.why[0] ?? '') ? null : match;
}

/** Removes the version: `AnyDesk 7.0.14 (64-bit)` with version 7.0.14 becomes AnyDesk. */
function productName(name: string, version: string | undefined): string {
  const nameWithoutBits = fold(name).replace(/(?<!\s)\s*\((x?\d{2}[- ]?bit|x64|x86|[a-z]{2}-[a-z]{2})\)/g, '');
  const versions = [version === undefined ? '' : fold(version), /\s(?:version |v)?(\d+(?:\.\d+)*)$/.exec(nameWithoutBits)?.[1] ?? ''];
  const foundVersion = versions.find((one) => one !== '' && nameWithoutBits.endsWith(one));
  return foundVersion === undefined
    ? nameWithoutBits
    : nameWithoutBits.slice(0, -foundVersion.length).replace(/(?<![\s-])[\s-]*(?:(?:version|ver\.?|v)\s*)?$/, '');
}

function reasonToStay(match: Match, policy: RemovalPolicy, set: CompiledSet, now: Date): { reason: Reason; until?: string | null } | null {
  const allowEntry = exceptionFrom(match, policy, now);
  if (allowEntry) return { reason: 'allowed', until: allowEntry.until };
  if (policy.actions[match.category] === 'ignore') return { reason: 'ignored' };
  if (set.parts_of_system.has(match.identifier)) return { reason: 'part_of_system' };
  if (policy.actions[match.category] === 'alert') return { reason: 'alert_only' };
  return actionFor(match, policy, now) === 'block' ? null : { reason: 'only_likely' };
}
