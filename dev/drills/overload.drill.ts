import { overloadDrill } from './overload.ts';

/** Ten times what the server can answer, for half a minute. */
export const drill = (log: (line: string) => void): Promise<string[]> => overloadDrill(30, log);
