import { z } from 'zod';
import type { SealedFiles } from './sealed-files.ts';

const names = z.array(z.string()).nullable();
const state = z.object({
  remote_desktop: z.boolean().nullable(),
  remote_shell: z.boolean().nullable(),
  screen_sharing: z.boolean().nullable(),
  remote_assistance: z.boolean().nullable(),
  administrators: names,
  hosts_file: z.object({ entries: z.array(z.string()) }).nullable(),
  dns_changed_by_others: names,
  proxy: z.string().nullable(),
  own_service: z.enum(['on', 'off']).nullable(),
  own_files: z.string().nullable(),
});

/** `program`: which program of ours it was, so that an update does not count as a change by somebody else. */
const storedDoors = z.object({ program: z.string(), state });
export type StoredDoors = z.infer<typeof storedDoors>;

/** The doors of this computer as they were last found, so that what was opened while the agent did not run is found as well. */
export const doorsFile = (files: Pick<SealedFiles, 'read' | 'write'>, path: string) => ({
  load: (): Promise<StoredDoors | null> => files.read(path, storedDoors),
  save: (doors: StoredDoors) => files.write(path, doors),
});
