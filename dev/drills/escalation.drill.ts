import { escalationDrill } from './escalation.ts';

export const drill = (log: (line: string) => void): Promise<string[]> => escalationDrill(log);
