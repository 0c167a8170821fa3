import { retentionDrill } from './retention.ts';

export const minutes = 10;

/** Old rows are deleted without making those who use the server wait. */
export const drill = (log: (line: string) => void): Promise<string[]> => retentionDrill({ rows: 1_000_000, rate: 10, seconds: 30 }, log);
