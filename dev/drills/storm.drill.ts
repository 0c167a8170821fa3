import { stormDrill } from './storm.ts';

export const minutes = 1;

/** Everyone must be notified of many threats within a minute. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const { wrong, ...counts } = await stormDrill({ detections: 1_000, threats: 100, guardians: 3, limitMs: 60_000 });
  log(`${counts.detections} detections became ${counts.mails} mails, the last one out after ${(counts.took / 1000).toFixed(1)} s`);
  return wrong;
}
