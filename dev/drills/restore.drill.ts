import { restoreDrill } from './restore.ts';

export const drill = (log: (line: string) => void): Promise<string[]> => restoreDrill(log);
