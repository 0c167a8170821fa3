import { type AgentInfo, agentEndpoints, type ReportedDetection } from '@porchlight/contract/agent.ts';
import type { AgentLimitation } from '@porchlight/contract/device-health.ts';
import type { NotifiedPeople } from '../ports.ts';
import { type Answered, ok } from './answers.ts';

export interface CheckIns {
  countdowns: { strict_for: number; leaves_in: number | null };
  protecting: boolean[];
  checkIns: { says_sleep: boolean; away?: number | undefined }[];
  /** Of the newest check-in. */
  info: AgentInfo | null;
  problems: string[];
  /** A list for each check-in. */
  limitations: AgentLimitation[][];
  /** `asks`: a list for each check-in. `notified`: the answer for stored detections; null for none. */
  asks: string[][];
  notified: NotifiedPeople | null;
}

export const noCheckIns = (): CheckIns => ({
  ...{
    countdowns: { strict_for: 0, leaves_in: null },
    protecting: [],
    checkIns: [],
    info: null,
    problems: [],
    limitations: [],
    asks: [],
    notified: null,
  },
});

export function receiveCheckIn(test: CheckIns & { detections: Map<string, ReportedDetection> }, body: unknown): Answered {
  const { says_sleep, away, strict_for, leaves_in, ...fields } = agentEndpoints['POST /agent/check-in'].body.parse(body);
  test.protecting.push(fields.protecting);
  test.checkIns.push({ says_sleep, away });
  test.countdowns = { strict_for, leaves_in };
  test.limitations.push(fields.info.limitations);
  test.info = fields.info;
  test.problems.push(...fields.problems);
  test.asks.push(fields.asks);
  const { notified } = test;
  return ok({
    notified: notified ? fields.asks.filter((one) => test.detections.has(one)).map((detection) => ({ detection, people: notified })) : [],
  });
}
