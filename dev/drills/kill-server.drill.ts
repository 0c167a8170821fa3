import { killServerDrill } from './kill-server.ts';

export const minutes = 5;

/** Five duplicates in a thousand emails (P5.4). */
const copiesAllowed = 0.005;

export async function drill(log: (line: string) => void): Promise<string[]> {
  const { wrong, copies, mails, ...counts } = await killServerDrill(50, log);
  log(
    `${counts.acknowledged} detections acknowledged, ${counts.alerts} alerts to ${counts.people} people, ${mails} mails, ${copies} of them a second copy under the same Message-ID`,
  );
  return copies > mails * copiesAllowed ? [...wrong, `${copies} of ${mails} mails came twice`] : wrong;
}
