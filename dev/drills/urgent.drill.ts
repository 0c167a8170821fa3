import { urgentDrill } from './urgent.ts';

/** P11.2 and P11.3, in milliseconds. */
const p95_max = 2_000;
const recovery_max = 60_000;

/** Ten thousand weekly mails wait while alerts come, on one server and on two; and then the mail server refuses everyone for a minute. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const wrong: string[] = [];
  for (const servers of [1, 2] as const) {
    const seen = await urgentDrill({ servers, weeklies: 10_000, alerts: 60, every_ms: 500, outage_ms: 60_000 });
    const s = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
    log(
      `${servers} server${servers === 1 ? '' : 's'}: ${seen.mails} alert mails, p50 ${s(seen.p50)}, p95 ${s(seen.p95)}, longest ${s(seen.longest)}, beside ${seen.weeklies} of 10,000 weekly ones; after an outage of a minute all were accepted in ${s(seen.recovery)}`,
    );
    wrong.push(...seen.wrong);
    if (seen.p95 > p95_max) wrong.push(`with ${servers} the p95 is ${s(seen.p95)}`);
    if (seen.recovery > recovery_max) wrong.push(`with ${servers} the last alert was accepted ${s(seen.recovery)} after the outage`);
  }
  return wrong;
}
