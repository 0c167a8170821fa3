import type { CompiledSet } from '@porchlight/definitions/match.ts';
import type { RemovalPolicy } from '@porchlight/definitions/remove-shapes.ts';
import type { Found } from '../disk-scan/found.ts';
import type { FoundListing } from '../os/port.ts';
import type { Act } from './act.ts';
import { decideStored } from './decide.ts';
import { detectStored } from './detectors/stored.ts';
import { entryOf } from './take-away.ts';

export interface StoredDeps {
  act: Act;
  now: () => Date;
}

/**
 * detect → decide → act for everything that one scan of the disk observed (P4.1); answers what was found, for the report, whether or not something could
 * be done. `restored`: entries that somebody asked back, which are left alone.
 */
export type ProtectStored = (
  listing: FoundListing,
  rules: RemovalPolicy,
  definitions: CompiledSet,
  restored: (entry: Pick<Found, 'kind' | 'entry'>) => boolean,
) => Promise<Found[]>;

export function storedProtection({ act, now }: StoredDeps): ProtectStored {
  return async (listing, rules, definitions, restored) => {
    const all: Found[] = [];
    for (const finding of detectStored(listing, rules, definitions, now())) {
      const [kind, entry, step] = [finding.decision.kind, entryOf(finding), decideStored(finding)];
      if (!step || restored({ kind, entry })) continue;
      const outcome = step.kind === 'quarantine' ? await act(step) : { did: 'told' as const, held: [] };
      if (!outcome) continue;
      const { identifier, name, category, certainty } = finding.match;
      all.push({ kind, identifier, name, category, certainty, entry, time: now().toISOString(), ...outcome });
    }
    return all;
  };
}
