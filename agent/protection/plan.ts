import type { Finding } from './detectors/detector.ts';

/** What is to be done about a finding, as data. */
export type Step = { kind: 'end_process'; finding: Finding } | { kind: 'tell_only'; finding: Finding };

/** One step for each finding; of programs that were started by another one that is ended anyway, none is left out: ending twice does no harm. */
export function plan(findings: Finding[]): Step[] {
  return findings.map((finding) => ({ kind: finding.wanted === 'block' ? 'end_process' : 'tell_only', finding }));
}
