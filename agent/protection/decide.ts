import { actionFor } from '@porchlight/definitions/match.ts';
import type { Rules } from '../state/in-force.ts';
import type { Finding, ProgramFinding, SiteFinding, StoredFinding } from './detectors/detector.ts';

interface Steps {
  end_process: ProgramFinding;
  refuse_name: SiteFinding;
  quarantine: StoredFinding;
  report_only: Finding;
}

export type Step<K extends keyof Steps = keyof Steps> = { [P in K]: { kind: P; finding: Steps[P] } }[K];

export function decideProgram(finding: ProgramFinding, rules: Rules, now: Date): Step<'end_process'> | ReportOnly<ProgramFinding> | null {
  const action = actionFor(finding.match, rules, now);
  if (action === 'ignore') return null;
  return action === 'block' ? { kind: 'end_process', finding } : { kind: 'report_only', finding };
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

interface ReportOnly<F extends Finding> {
  kind: 'report_only';
  finding: F;
}
