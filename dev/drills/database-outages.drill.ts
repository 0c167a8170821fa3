import { databaseOutagesDrill } from './database-outages.ts';

export const minutes = 3;

export const drill = (log: (line: string) => void): Promise<string[]> =>
  databaseOutagesDrill({ seconds: 60, restarts: 3, rate: 200, servedWithin: 2_000 }, log);
