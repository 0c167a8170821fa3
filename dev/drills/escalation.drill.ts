import { escalationDrill } from './escalation.ts';

export const minutes = 5;

export const drill = (log: (line: string) => void): Promise<string[]> => escalationDrill(log);
