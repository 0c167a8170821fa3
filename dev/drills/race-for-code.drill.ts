import { raceForCodeDrill } from './race-for-code.ts';

export const minutes = 1;

export const drill = (log: (line: string) => void): Promise<string[]> => raceForCodeDrill(20, log);
