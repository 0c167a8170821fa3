import { parsersDrill } from './parsers.ts';

/** Ten minutes of nonsense for everything that reads lists, changes, hosts and patterns. */
export const drill = (log: (line: string) => void): Promise<string[]> => parsersDrill(600, log);
