import type { CompiledSet } from '@porchlight/definitions/match.ts';
import { decideRemoval } from '@porchlight/definitions/remove.ts';
import type { Decision, RemovalPolicy } from '@porchlight/definitions/remove-shapes.ts';
import type { FoundListing } from '../../os/port.ts';
import type { StoredFinding } from './detector.ts';

/** What starts a program comes before the program itself, so that nothing starts it again meanwhile. */
const order: Decision['kind'][] = ['services', 'start_up', 'programs', 'downloads'];

/** Everything on the disk that matches a definition. It takes the rules as well: whether one entry may go depends on the others. */
export function detectStored(listing: FoundListing, rules: RemovalPolicy, definitions: CompiledSet, now: Date): StoredFinding[] {
  const decisions = decideRemoval(listing, rules, definitions, now);
  return order
    .flatMap((kind) => decisions.filter((one) => one.kind === kind))
    .flatMap((decision) => (decision.match ? [{ kind: 'stored', match: decision.match, listing, decision }] : []));
}
