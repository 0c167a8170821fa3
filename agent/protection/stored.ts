import type { ProtectStored } from '../ports.ts';
import type { Found } from '../state/stored-findings.ts';
import type { Act } from './act.ts';
import { decideStored } from './decide.ts';
import { detectStored } from './detectors/stored.ts';
import { entryOf } from './take-out-of-use.ts';

export interface StoredDeps {
  act: Act;
  now: () => Date;
}

export function storedProtection({ act, now }: StoredDeps): ProtectStored {
  return async (listing, rules, definitions, restored) => {
    const findings: Found[] = [];
    for (const finding of detectStored(listing, rules, definitions, now())) {
      const [kind, entry, step] = [finding.decision.kind, entryOf(finding), decideStored(finding)];
      if (!step || restored({ kind, entry })) continue;
      const outcome = step.kind === 'quarantine' ? await act(step) : { did: 'reported' as const, held: [] };
      if (!outcome) continue;
      const { identifier, name, category, certainty } = finding.match;
      findings.push({ kind, identifier, name, category, certainty, entry, time: now().toISOString(), ...outcome });
    }
    return findings;
  };
}
