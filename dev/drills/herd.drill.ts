import { herdDrill } from './overload.ts';

/** As many agents as one server has come back at once. */
export const drill = (log: (line: string) => void): Promise<string[]> => herdDrill(6_000, log);
