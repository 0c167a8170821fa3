import { stormDrill } from './storm.ts';

/** A thousand detections for a holder and three guardians: all told within a minute. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const { wrong, ...seen } = await stormDrill(1_000, 100, 60_000);
  log(`${seen.detections} detections became ${seen.mails} mails, the last one out after ${(seen.took / 1000).toFixed(1)} s`);
  return wrong;
}
