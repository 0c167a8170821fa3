import { randomUUID } from 'node:crypto';
import { detectionWhyMax, type ReportedDetection } from '@porchlight/contract/agent.ts';
import type { AgentEvents, Incidents, Log, StartState } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import type { Identity, Store } from '../state/store.ts';
import { calmMessages } from '../ui/messages/calm-screen.ts';
import { messages } from '../ui/messages/messages.ts';
import type { ProgramFinding, SiteFinding, StartFinding } from './detectors/detector.ts';
import type { DoorFinding } from './detectors/doors.ts';

const detailsMax = 2000;

export interface ReporterDeps {
  store: Store;
  inForce: InForce;
  incidents: Incidents;
  now: () => Date;
  log: Log;
  events: AgentEvents;
  /** Call before and after the detection of a remote-control program that a person started is queued (P10.5). */
  programEnded: () => Promise<void>;
}

type ReportedFinding = ProgramFinding | StartFinding | SiteFinding | DoorFinding;

export interface Reporter {
  /** Records the detection while the program is suspended, so that a crash does not lose it. */
  begin(finding: ProgramFinding, whose: Identity | null): void;
  /** `remains`: the paths of what still runs. `start`: what became of a start on no list. */
  report(
    finding: ReportedFinding,
    blocked: boolean,
    whose: Identity | null,
    more?: { remains?: string[]; start?: StartState },
  ): Promise<void>;
  /**
   * Reports the start of an allowed program (P9.1). Nothing appears on the calm screen, which would ask the user to turn off a computer
   * that does what was agreed, and the PIN stays enough, since nothing was ended.
   */
  reportAllowed(finding: ProgramFinding, whose: Identity | null): Promise<void>;
}

export function detectionReporter({ store, inForce, incidents, now, log, events, programEnded }: ReporterDeps): Reporter {
  const recordedDetections = new Map<ReportedFinding, ReportedDetection>();
  const detectionOf = (finding: ReportedFinding, blocked: boolean): ReportedDetection => ({
    uuid: randomUUID(),
    time: now().toISOString(),
    name: finding.match.name,
    identifier: finding.match.identifier,
    category: finding.match.category,
    details: detailsOf(finding).slice(0, detailsMax),
    blocked,
    certainty: finding.match.certainty,
    why: finding.match.why.join(', ').slice(0, detectionWhyMax),
    start: (finding.kind === 'program' ? finding.start : undefined) ?? 'person',
  });
  // A finding made under another identity is not reported for this device.
  const isOurs = (whose: Identity | null): whose is Identity => whose !== null && whose === inForce.identity;

  const locks = (finding: ReportedFinding) =>
    finding.kind === 'program' && finding.match.category === 'RemoteControl' && finding.start !== 'system';
  const noteEnd = () => programEnded().catch((err: unknown) => log(messages.terminal.notWritten('That the PIN alone is not enough', err)));

  /** Resolves to why the detection could not be written; it is reported anyway. */
  const queue = async (detection: ReportedDetection): Promise<string | null> => {
    const writeError = await store.queue(detection).then(() => null, String);
    if (writeError) log(messages.terminal.notWritten('A detection', writeError));
    return writeError;
  };

  const begin: Reporter['begin'] = (finding, whose) => {
    if (!isOurs(whose)) return;
    const detection = detectionOf(finding, true);
    store.recordKill(finding.process, detection);
    if (locks(finding)) void noteEnd();
    recordedDetections.set(finding, detection);
  };
  const report: Reporter['report'] = async (finding, blocked, whose, { remains = [], start } = {}) => {
    const { match, kind } = finding;
    const recorded = recordedDetections.get(finding);
    recordedDetections.delete(finding);
    const detection = withRemains(recorded ? { ...recorded, blocked } : detectionOf(finding, blocked), remains);
    const isOwn = isOurs(whose);
    // Written before anything else, so that a crash does not lose the detection (P4.5). If writing fails the detection is still reported.
    const writeError = isOwn && (await queue(detection));
    if (isOwn && blocked && locks(finding)) await noteEnd();
    if (isOwn) events.emit('reportQueued');
    // A door is nothing that somebody at the computer can close, and a relative may have opened it.
    if (kind === 'door') return log(messages.terminal.door(match.name, blocked));
    const shown = kind === 'site' ? 'site' : 'program';
    log(messages.terminal.stopped(match.name, blocked, shown));
    const definition = inForce.definitions()?.definitions.find((d) => d.identifier === match.identifier);
    const what_to_do = definition?.help.what_to_do ?? (kind === 'site' ? calmMessages.siteNow : '');
    if (
      incidents.add(
        { match, kind: shown, blocked, start, what_to_do, detection: isOwn ? { uuid: detection.uuid, device: whose.device.uuid } : null },
        now(),
      )
    )
      events.emit('windowWanted');
    if (recorded && !writeError) await store.finish(recorded);
  };
  const reportAllowed: Reporter['reportAllowed'] = async (finding, whose) => {
    if (!isOurs(whose)) return;
    await queue(detectionOf(finding, false));
    events.emit('reportQueued');
    log(messages.terminal.allowedStart(finding.match.name));
  };
  return { begin, report, reportAllowed };
}

function detailsOf(finding: ReportedFinding): string {
  if (finding.kind === 'site') return finding.site;
  return finding.kind === 'program' ? (finding.process.runs ?? finding.process).path : finding.details;
}

function withRemains(detection: ReportedDetection, remains: string[]): ReportedDetection {
  const otherPaths = [...new Set(remains)].filter((path) => path !== detection.details);
  if (!otherPaths.length) return detection;
  return { ...detection, details: `${detection.details} (${messages.terminal.stillRuns(otherPaths)})`.slice(0, detailsMax) };
}
