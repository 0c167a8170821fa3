import { restoreDrill } from './restore.ts';

export const minutes = 1;

export const drill = (log: (line: string) => void): Promise<string[]> => restoreDrill(log);
