import { z } from 'zod';
import type { SealedFiles } from './sealed-files.ts';

const process = z.object({ pid: z.number(), started: z.string() });
/** `since`: the least time that it was by the server's signed times. `begun`: their descendants may not all be suspended yet. */
const waitingStart = z.object({
  ...{ identifier: z.string(), name: z.string(), processes: z.array(process), since: z.string() },
  begun: z.literal(true).optional(),
});
export type WaitingStart = z.infer<typeof waitingStart>;

/** The starts that wait for a yes. Written synchronously, so that a kill of the agent does not lose what is suspended. */
export const waitingStartsFile = (files: Pick<SealedFiles, 'read' | 'writeNow'>, path: string) => ({
  read: async (): Promise<WaitingStart[]> => (await files.read(path, z.array(waitingStart))) ?? [],
  writeNow: (waiting: WaitingStart[]) => files.writeNow(path, waiting),
});
