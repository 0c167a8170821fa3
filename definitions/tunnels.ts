import { z } from 'zod';
import type { ProgramSeen } from './format.ts';

/** Names for people, by names of programs in lower case without `.exe`. */
const programs = z.record(z.string().min(1).max(80), z.string().min(1).max(80));
/** `mesh_macos`: on macOS as well as `mesh`. */
export const tunnelTables = z.object({ programs, mesh: programs, mesh_macos: programs });
export type TunnelTables = z.infer<typeof tunnelTables>;

function nameIn(programs: Record<string, string>, name: string): string | null {
  const program = name.toLowerCase().replace(/\.exe$/, '');
  return Object.hasOwn(programs, program) ? (programs[program] ?? null) : null;
}

/** The name of the tunnel for people, or null. `name`: a file name. */
export const tunnelOf = (name: string, { programs }: TunnelTables): string | null => nameIn(programs, name);

/** The name of the mesh VPN for people, or null. */
export const meshVpnOf = ({ os, name }: Pick<ProgramSeen, 'os' | 'name'>, { mesh, mesh_macos }: TunnelTables): string | null =>
  nameIn(mesh, name) ?? (os === 'macos' ? nameIn(mesh_macos, name) : null);
