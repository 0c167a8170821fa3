import { killServerDrill } from './kill-server.ts';

/** The server is killed twenty times while a device reports. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const { wrong, ...seen } = await killServerDrill(20, log);
  log(
    `${seen.acknowledged} detections acknowledged, ${seen.alerts} alerts, ${seen.mails} mails, ${seen.copies} of them a second copy under the same Message-ID`,
  );
  return wrong;
}
