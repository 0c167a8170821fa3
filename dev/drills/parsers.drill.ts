import { parsersDrill } from './parsers.ts';

export const minutes = 10;

export const drill = (log: (line: string) => void): Promise<string[]> => parsersDrill(600, log);
