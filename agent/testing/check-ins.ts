import { agentEndpoints, type ReportedDetection } from '@porchlight/contract/agent.ts';
import type { PeopleTold } from '../ports.ts';
import { type Answered, ok } from './answers.ts';

/** What agents said when they checked in, the newest last, and what they hear of who was told. */
export interface CheckIns {
  /** How long the computer said at its last check-in that it is on strict, and until it leaves. */
  standing: { strict_for: number; leaves_in: number | null };
  /** How often a check-in said that it protects, and that it does not; the newest last. */
  protecting: boolean[];
  /** What else check-ins said, the newest last. */
  said: { says_sleep: boolean; away?: number | undefined }[];
  /** What agents said that they cannot do, each time they checked in. */
  problems: string[];
  /** Of which detections each asked who was told; and what it is answered of those that are stored, nothing while it is null. */
  asks: string[][];
  tells: PeopleTold | null;
}

export const noCheckIns = (): CheckIns => ({
  ...{ standing: { strict_for: 0, leaves_in: null }, protecting: [], said: [], problems: [], asks: [], tells: null },
});

export function hearCheckIn(test: CheckIns & { detections: Map<string, ReportedDetection> }, body: unknown): Answered {
  const { says_sleep, away, strict_for, leaves_in, ...said } = agentEndpoints['POST /agent/check-in'].body.parse(body);
  test.protecting.push(said.protecting);
  test.said.push({ says_sleep, away });
  test.standing = { strict_for, leaves_in };
  test.problems.push(...said.problems);
  test.asks.push(said.asks);
  const { tells } = test;
  return ok({ told: tells ? said.asks.filter((one) => test.detections.has(one)).map((detection) => ({ detection, people: tells })) : [] });
}
