import { urgentDrill } from './urgent.ts';

export const minutes = 8;

/** Limits of P11.2 and P11.3, in milliseconds. */
const p95_max = 2_000;
const recovery_max = 60_000;

export async function drill(log: (line: string) => void): Promise<string[]> {
  const problems: string[] = [];
  for (const servers of [1, 2] as const) {
    const drillResult = await urgentDrill({ servers, weeklies: 10_000, alerts: 60, every_ms: 500, outage_ms: 60_000 });
    const s = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
    log(
      `${servers} server${servers === 1 ? '' : 's'}: ${drillResult.mails} alert mails, p50 ${s(drillResult.p50)}, p95 ${s(drillResult.p95)}, longest ${s(drillResult.longest)}, beside ${drillResult.weeklies} of 10,000 weekly ones; after an outage of a minute all were accepted in ${s(drillResult.recovery)}`,
    );
    problems.push(...drillResult.wrong);
    if (drillResult.p95 > p95_max) problems.push(`with ${servers} the p95 is ${s(drillResult.p95)}`);
    if (drillResult.recovery > recovery_max)
      problems.push(`with ${servers} the last alert was accepted ${s(drillResult.recovery)} after the outage`);
  }
  return problems;
}
