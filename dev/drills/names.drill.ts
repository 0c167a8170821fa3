import { namesDrill } from './names.ts';

export const minutes = 10;

export const drill = async (log: (line: string) => void): Promise<string[]> => namesDrill(600, log);
