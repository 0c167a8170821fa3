import { herdDrill } from './overload.ts';

export const minutes = 2;

export const drill = (log: (line: string) => void): Promise<string[]> => herdDrill(6_000, log);
