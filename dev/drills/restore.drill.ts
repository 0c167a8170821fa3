import { restoreDrill } from './restore.ts';

/** The database is put back to an older state under a server and an agent that run (P14.1). */
export const drill = (log: (line: string) => void): Promise<string[]> => restoreDrill(log);
