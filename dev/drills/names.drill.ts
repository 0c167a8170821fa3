import { namesDrill } from './names.ts';

export const drill = async (log: (line: string) => void): Promise<string[]> => namesDrill(600, log);
