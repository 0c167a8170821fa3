import { threeServersDrill } from './many-servers/three-servers.ts';

export const minutes = 6;

export const drill = (log: (line: string) => void): Promise<string[]> =>
  threeServersDrill({ households: 20, rounds: 14, longOutage: 70_000 }, log);
