import { operatorDrill } from './operator/operator.ts';

export const minutes = 15;

export const drill = (log: (line: string) => void): Promise<string[]> => operatorDrill(log);
