import type { Row } from '@porchlight/dev/bench-row.ts';
import { stormDrill } from '@porchlight/dev/drills/storm.ts';

const storm = { detections: 1_000, threats: 1_000, guardians: 2, limitMs: 30_000 };

/** One device reports a thousand different threats, and three people are notified of each. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const { mails, took, wrong } = await stormDrill(storm);
  log(`${storm.threats} different threats became ${mails} mails`);
  const wrongMails = wrong.filter((problem) => problem.startsWith('threat'));
  if (wrongMails.length) throw new Error(`${wrongMails.length} mails were wrong, such as: ${wrongMails[0]}`);
  const common = { unit: 's', peer: null, peer_value: null };
  return [
    {
      name: `${storm.threats} threats for 3 people until the last mail was accepted`,
      value: took / 1000,
      ...common,
      aim: { at_most: storm.limitMs / 1000 },
    },
  ];
}
