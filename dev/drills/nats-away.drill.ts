import { natsAwayDrill } from './many-servers/nats-away.ts';

export const minutes = 6;

export const drill = (log: (line: string) => void): Promise<string[]> =>
  natsAwayDrill({ households: 8, outages: [5_000, 30_000, 90_000] }, log);
