import { overloadDrill } from './overload.ts';

export const minutes = 2;

export const drill = (log: (line: string) => void): Promise<string[]> => overloadDrill(30, log);
