import { killServerDrill } from './kill-server.ts';

/** Of a thousand mails five may come twice (P5.4). */
const copiesAllowed = 0.005;

/** The server is killed at fifty points of the way of an alert. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const { wrong, copies, mails, ...seen } = await killServerDrill(50, log);
  log(
    `${seen.acknowledged} detections acknowledged, ${seen.alerts} alerts to ${seen.people} people, ${mails} mails, ${copies} of them a second copy under the same Message-ID`,
  );
  return copies > mails * copiesAllowed ? [...wrong, `${copies} of ${mails} mails came twice`] : wrong;
}
