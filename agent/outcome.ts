import { randomUUID } from 'node:crypto';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Finding } from './detectors/detector.ts';
import type { InForce } from './in-force.ts';
import type { Identity, Store } from './state/store.ts';
import type { Incidents } from './window/incidents.ts';
import { words } from './window/words.ts';

export interface OutcomeParts {
  store: Store;
  inForce: InForce;
  incidents: Incidents;
  now: () => Date;
  log: (sentence: string) => void;
  /** There is something new to report. */
  queued: () => void;
  showWindow: () => void;
}

/** Tells what came of a finding: the server, the person at the terminal, and the calm screen. */
export function outcomes({ store, inForce, incidents, now, log, queued, showWindow }: OutcomeParts) {
  return async ({ match, process }: Finding, blocked: boolean, whose: Identity | null): Promise<void> => {
    const detection: ReportedDetection = {
      uuid: randomUUID(),
      time: now().toISOString(),
      name: match.name,
      identifier: match.identifier,
      category: match.category,
      details: process.path.slice(0, 2000),
      blocked,
      certainty: match.certainty,
    };
    // What was found while this computer was another device, or nobody's, is not told as this one's.
    const ours = whose !== null && whose === inForce.identity;
    // On disk before anyone is told: what happens to us next does not lose it (P4.5).
    if (ours) {
      await store.queue(detection);
      queued();
    }
    log(words.terminal.stopped(match.name, blocked));
    const known = inForce.definitions()?.definitions.find((d) => d.identifier === match.identifier);
    const what_to_do = known?.help.what_to_do ?? '';
    if (incidents.add({ match, blocked, what_to_do, family_told: ours }, now())) showWindow();
  };
}
