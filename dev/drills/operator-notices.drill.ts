import { operatorNotices } from './operator-notices.ts';

export const minutes = 22;

export const drill = (log: (line: string) => void): Promise<string[]> => operatorNotices(log);
