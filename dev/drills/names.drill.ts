import { namesDrill } from './names.ts';

/** Ten minutes of nonsense for what reads queries and answers of the name service. */
export const drill = async (log: (line: string) => void): Promise<string[]> => namesDrill(600, log);
