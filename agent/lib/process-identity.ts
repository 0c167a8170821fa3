/** Identifies a process also after its pid was given to another one. */
export const processIdentity = ({ pid, started }: { pid: number; started: string }): string => `${pid}:${started}`;
