import type { CompiledSet } from '@porchlight/definitions/match.ts';
import { decideRemoval } from '@porchlight/definitions/remove.ts';
import type { Decision, RemovalPolicy } from '@porchlight/definitions/remove-shapes.ts';
import type { FoundListing } from '../../os/port.ts';
import type { StoredFinding } from './detector.ts';

/** Services and start-up entries come before programs, so that nothing restarts a program meanwhile. */
const order: Decision['kind'][] = ['services', 'start_up', 'programs', 'downloads'];

/** Takes the rules as well, because whether an entry may be removed depends on other entries. */
export function detectStored(listing: FoundListing, rules: RemovalPolicy, definitions: CompiledSet, now: Date): StoredFinding[] {
  const decisions = decideRemoval(listing, rules, definitions, now);
  return order
    .flatMap((kind) => decisions.filter((one) => one.kind === kind))
    .flatMap((decision) => (decision.match ? [{ kind: 'stored', match: decision.match, listing, decision }] : []));
}
