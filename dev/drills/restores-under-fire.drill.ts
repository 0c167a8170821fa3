import { restoresUnderFire } from './restores-under-fire.ts';

export const minutes = 6;

export const drill = (log: (line: string) => void): Promise<string[]> => restoresUnderFire(30, log);
