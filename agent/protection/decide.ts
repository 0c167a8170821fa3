import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import type { UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { actionFor, isReportedThoughAllowed } from '@porchlight/definitions/match.ts';
import type { Rules } from '../state/in-force.ts';
import type { Finding, ProgramFinding, SiteFinding, StartFinding, StoredFinding } from './detectors/detector.ts';
import type { DoorFinding } from './detectors/doors.ts';

interface Steps {
  end_process: ProgramFinding;
  suspend: StartFinding;
  end_start: StartFinding;
  refuse_name: SiteFinding;
  close_door: DoorFinding;
  quarantine: StoredFinding;
  report_only: Finding;
}

export type Step<K extends keyof Steps = keyof Steps> = { [P in K]: { kind: P; finding: Steps[P] } }[K];

/** `signedNow`: how late it is at least, whatever the clock says. */
export function decideProgram(
  finding: ProgramFinding,
  rules: Rules,
  times: { now: Date; signedNow: Date },
): Step<'end_process'> | ReportOnly<ProgramFinding> | null {
  const { match, seen_before } = finding;
  const action = actionFor(match, rules, times.now);
  if (action === 'block') return { kind: 'end_process', finding };
  if (action === 'alert') return { kind: 'report_only', finding };
  // What ran before it was allowed, or was reported already, did not start now.
  return !seen_before && isReportedThoughAllowed(match, rules, times) ? { kind: 'report_only', finding, is_allowed: true } : null;
}

export type StartStep = Step<'suspend'> | Step<'end_start'> | ReportOnly<StartFinding>;

/** The newest answer of a guardian about this start that is still in force. */
export const answerTo = (identifier: string, answers: UnlistedPolicy['answers'], signedNow: Date): 'yes' | 'no' | null =>
  answers.find((one) => one.identifier === identifier && Date.parse(one.until) > signedNow.getTime())?.answer ?? null;

/** What a no in force is about: it wins over every yes, so it also ends what a yes had let run. */
export const refusedIn = (answers: UnlistedPolicy['answers'], signedNow: Date): string[] =>
  answers.flatMap(({ identifier }) => (answerTo(identifier, answers, signedNow) === 'no' ? [identifier] : []));

/** `action`: what the policy does with starts of this kind. */
export function decideStart(
  finding: StartFinding,
  action: PolicyAction,
  { answers, signedNow }: { answers: UnlistedPolicy['answers']; signedNow: Date },
): StartStep | null {
  if (action === 'ignore') return null;
  if (action === 'alert') return { kind: 'report_only', finding };
  const answer = answerTo(finding.match.identifier, answers, signedNow);
  if (answer === 'yes') return null;
  return { kind: answer === 'no' ? 'end_start' : 'suspend', finding };
}

/** `action`: what the policy does with opened doors. Some cannot be closed safely, such as a new administrator. */
export function decideDoor(finding: DoorFinding, action: PolicyAction): Step<'close_door'> | ReportOnly<DoorFinding> | null {
  if (action === 'ignore') return null;
  return action === 'block' && finding.closable ? { kind: 'close_door', finding } : { kind: 'report_only', finding };
}

/** The DNS filter has already applied the policy to the site; here only the kind of report is decided. */
export const decideSite = (finding: SiteFinding): Step<'refuse_name'> | ReportOnly<SiteFinding> => ({
  kind: finding.refused ? 'refuse_name' : 'report_only',
  finding,
});

export function decideStored(finding: StoredFinding): Step<'quarantine'> | ReportOnly<StoredFinding> | null {
  const { decision } = finding;
  if (decision.verdict === 'goes') return { kind: 'quarantine', finding };
  return decision.reason === 'alert_only' || decision.reason === 'only_likely' ? { kind: 'report_only', finding } : null;
}

export interface ReportOnly<F extends Finding> {
  kind: 'report_only';
  finding: F;
  /** The user's allow list lets it run, and its start is reported anyway (P9.1). */
  is_allowed?: true;
}
