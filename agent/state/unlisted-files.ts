import { z } from 'zod';
import { span } from '../lib/span.ts';
import { doorsFile } from './doors-file.ts';
import { openedSitesFile } from './opened-sites-file.ts';
import type { SealedFiles } from './sealed-files.ts';
import { waitingStartsFile } from './waiting-starts-file.ts';

/** What the agent stores about threats that are on no list (P12.3 to P12.5, P15.3, P16.2). */
export const unlistedFiles = (files: SealedFiles, file: (name: string) => string) => ({
  waitingStarts: waitingStartsFile(files, file('waiting-starts')),
  doors: doorsFile(files, file('doors')),
  /** Written by the operating system's part, which knows what can be stored with a file itself. */
  originsPath: file('origins'),
  knownPrograms: knownProgramsFile(files, file('known-programs')),
  pausedSites: pausedSitesFile(files, file('paused-sites')),
  openedSites: openedSitesFile(files, file('opened-sites')),
  meshVpns: meshVpnsFile(files, file('mesh-vpns')),
});

/** Old ones are forgotten beyond this number; an older program would count as new. */
const MAX_KNOWN = 5000;

const knownPrograms = z.array(z.string());

/** The ids of programs from the internet that ran on this computer before, the oldest first (P12.3). */
const knownProgramsFile = (files: Pick<SealedFiles, 'read' | 'write'>, path: string) => ({
  load: async (): Promise<string[]> => (await files.read(path, knownPrograms)) ?? [],
  save: (ids: string[]) => files.write(path, ids.slice(-MAX_KNOWN)),
});

const pressedSites = z.array(z.object({ site: z.string(), span }));

/** The paused sites that were opened by a press within an hour (P16.2). */
const pausedSitesFile = (files: Pick<SealedFiles, 'read' | 'write'>, path: string) => ({
  load: async (): Promise<z.infer<typeof pressedSites>> => (await files.read(path, pressedSites)) ?? [],
  save: (pressed: z.infer<typeof pressedSites>) => files.write(path, pressed),
});

const seenMeshVpns = z.record(z.string(), z.string());

/** When each mesh VPN ran last; null before the first scan. */
const meshVpnsFile = (files: Pick<SealedFiles, 'read' | 'write'>, path: string) => ({
  load: (): Promise<z.infer<typeof seenMeshVpns> | null> => files.read(path, seenMeshVpns),
  save: (seen: z.infer<typeof seenMeshVpns>) => files.write(path, seen),
});
