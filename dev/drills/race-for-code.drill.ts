import { raceForCodeDrill } from './race-for-code.ts';

/** Fifty agents race for one code, twenty times. */
export const drill = (log: (line: string) => void): Promise<string[]> => raceForCodeDrill(20, log);
