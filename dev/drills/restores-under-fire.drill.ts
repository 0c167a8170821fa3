import { restoresUnderFire } from './restores-under-fire.ts';

export const minutes = 8;

export const drill = (log: (line: string) => void): Promise<string[]> => restoresUnderFire(30, log);
