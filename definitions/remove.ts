import { commandFile } from './command-file.ts';
import { fold } from './fold.ts';
import type { Match, ProgramSeen } from './format.ts';
import type { CompiledSet } from './index-marks.ts';
import { actionFor, exceptionFrom, matchProgram } from './match.ts';
import { matchService } from './match-service.ts';
import type { Decision, Kind, Listing, Reason, RemovalPolicy, Step } from './remove-shapes.ts';

const steps: Record<Kind, Step> = {
  programs: 'uninstall',
  services: 'stop_and_disable',
  start_up: 'remove_start_up',
  downloads: 'quarantine',
};

/**
 * What goes from a computer, what stays and why (P4.1, P4.2): one decision for each entry, in the order of the listing. Pure: nothing is
 * touched here. The free plan's policy says by itself that only remote control goes. What comes with the system always stays.
 */
export function decideRemoval(listing: Listing, policy: RemovalPolicy, set: CompiledSet, now: Date): Decision[] {
  const { os } = listing;
  const decide = <E extends { name: string }>(kind: Kind, entries: E[], matchOf: (entry: E) => Match | null): Decision[] =>
    entries.map((found, at) => {
      const match = matchOf(found);
      const entry = { kind, at, name: found.name };
      if (!match) return { ...entry, verdict: 'stays', reason: 'no_match', match };
      const stays = whyStays(match, policy, set, now);
      return stays ? { ...entry, verdict: 'stays', match, ...stays } : { ...entry, verdict: 'goes', step: steps[kind], match };
    });
  return [
    ...decide('programs', listing.programs, (program) => matchInstalled(os, program, set)),
    ...decide('services', listing.services, (service) => matchService(os, service, set)),
    ...decide('start_up', listing.start_up, ({ command }) => matchProgram({ os, ...commandFile(command) }, set)),
    ...decide('downloads', listing.downloads, (file) => matchProgram({ ...file, os }, set)),
  ];
}

/** A list of installed programs gives product and maker: two weak marks. Its name is not a file name, but may be one on a Mac. */
function matchInstalled(
  os: ProgramSeen['os'],
  { name, publisher, version, path, bundle_id }: Listing['programs'][number],
  set: CompiledSet,
) {
  const product = productName(name, version);
  const seen: ProgramSeen = { os, name: os === 'windows' ? '' : name, product };
  if (publisher !== undefined) seen.company = publisher;
  if (path !== undefined) seen.path = path;
  if (bundle_id !== undefined) seen.bundle_id = bundle_id;
  return matchProgram(seen, set);
}

/** `AnyDesk 7.0.14 (64-bit)` with version 7.0.14 is AnyDesk: lists put the version and the processor behind the name. */
function productName(name: string, version: string | undefined): string {
  const bare = fold(name).replace(/\s*\((x?\d{2}[- ]?bit|x64|x86|[a-z]{2}-[a-z]{2})\)/g, '');
  const versions = [version === undefined ? '' : fold(version), /\s(?:version |v)?(\d+(?:\.\d+)*)$/.exec(bare)?.[1] ?? ''];
  const found = versions.find((one) => one !== '' && bare.endsWith(one));
  return found === undefined ? bare : bare.slice(0, -found.length).replace(/[\s-]*(version|ver\.?|v)?\s*$/, '');
}

function whyStays(match: Match, policy: RemovalPolicy, set: CompiledSet, now: Date): { reason: Reason; until?: string | null } | null {
  const allowed = exceptionFrom(match, policy, now);
  if (allowed) return { reason: 'allowed', until: allowed.until };
  if (policy.actions[match.category] === 'ignore') return { reason: 'ignored' };
  if (set.parts_of_system.has(match.identifier)) return { reason: 'part_of_system' };
  if (policy.actions[match.category] === 'alert') return { reason: 'alert_only' };
  return actionFor(match, policy, now) === 'block' ? null : { reason: 'only_likely' };
}
