import { randomUUID } from 'node:crypto';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { AgentEvents, Incidents, Log } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import type { Identity, Store } from '../state/store.ts';
import { calmMessages } from '../ui/messages/calm-screen.ts';
import { messages } from '../ui/messages/messages.ts';
import type { ProgramFinding, SiteFinding } from './detectors/detector.ts';

/** In letters, as the contract has it. */
const detailsMax = 2000;

export interface ReporterDeps {
  store: Store;
  inForce: InForce;
  incidents: Incidents;
  now: () => Date;
  log: Log;
  events: AgentEvents;
}

type ReportedFinding = ProgramFinding | SiteFinding;

export interface Reporter {
  /** Just before it is ended, when it stands still: if we are killed meanwhile, it is told all the same. */
  begin(finding: ProgramFinding, whose: Identity | null): void;
  /** `remains`: the files of what could not be ended of it. */
  report(finding: ReportedFinding, blocked: boolean, whose: Identity | null, remains?: string[]): Promise<void>;
}

/** Tells what came of a finding: the server, the person at the terminal, and the calm screen. */
export function detectionReporter({ store, inForce, incidents, now, log, events }: ReporterDeps): Reporter {
  const begun = new Map<ReportedFinding, ReportedDetection>();
  const detectionOf = (finding: ReportedFinding, blocked: boolean): ReportedDetection => ({
    uuid: randomUUID(),
    time: now().toISOString(),
    name: finding.match.name,
    identifier: finding.match.identifier,
    category: finding.match.category,
    details: (finding.kind === 'site' ? finding.site : finding.process.path).slice(0, detailsMax),
    blocked,
    certainty: finding.match.certainty,
  });
  // What was found while this computer was another device, or nobody's, is not told as this one's.
  const isOurs = (whose: Identity | null): whose is Identity => whose !== null && whose === inForce.identity;

  const begin: Reporter['begin'] = (finding, whose) => {
    if (!isOurs(whose)) return;
    const detection = detectionOf(finding, true);
    store.begin(finding.process, detection);
    begun.set(finding, detection);
  };
  const report: Reporter['report'] = async (finding, blocked, whose, remains = []) => {
    const { match, kind } = finding;
    const before = begun.get(finding);
    begun.delete(finding);
    const detection = withRemains(before ? { ...before, blocked } : detectionOf(finding, blocked), remains);
    const ours = isOurs(whose);
    // On disk before anyone is told: what happens to us next does not lose it (P4.5). A disk that does not take it keeps nobody from being told.
    const unwritten = ours && (await store.queue(detection).then(() => null, String));
    if (unwritten) log(messages.terminal.notWritten('A detection', unwritten));
    if (ours) events.emit('reportQueued');
    log(messages.terminal.stopped(match.name, blocked, kind));
    const known = inForce.definitions()?.definitions.find((d) => d.identifier === match.identifier);
    const what_to_do = known?.help.what_to_do ?? (kind === 'site' ? calmMessages.siteNow : '');
    if (
      incidents.add(
        { match, kind, blocked, what_to_do, detection: ours ? { uuid: detection.uuid, device: whose.device.uuid } : null },
        now(),
      )
    )
      events.emit('windowWanted');
    if (before && !unwritten) await store.finish(before);
  };
  return { begin, report };
}

/** What is left of a tree that was ended in part stands beside the program's own file. */
function withRemains(detection: ReportedDetection, remains: string[]): ReportedDetection {
  const others = [...new Set(remains)].filter((path) => path !== detection.details);
  if (!others.length) return detection;
  return { ...detection, details: `${detection.details} (${messages.terminal.stillRuns(others)})`.slice(0, detailsMax) };
}
