import { z } from 'zod';
import type { ProgramSeen } from './format.ts';

/** Names for people, by names of programs in lower case without `.exe`. */
const programs = z.record(z.string().min(1).max(80), z.string().min(1).max(80));
/** `mesh_macos`: on macOS as well as `mesh`. */
export const tunnelTables = z.object({ programs, mesh: programs, mesh_macos: programs });

/**
 * Programs that open a way from the internet to a port of this computer, past its router. Developers use them too, so they are reported and
 * never stopped (P12.5). Sources: MITRE ATT&CK T1572 and S0508, CISA AA23-320A and AA24-038A, the makers' own download pages.
 */
const tunnelPrograms: Record<string, string> = {
  ngrok: 'ngrok',
  cloudflared: 'Cloudflare Tunnel',
  frpc: 'frp',
  chisel: 'chisel',
  ligolo: 'Ligolo',
  'ligolo-ng': 'Ligolo',
  localtonet: 'Localtonet',
  playit: 'playit.gg',
  bore: 'bore',
  pinggy: 'Pinggy',
  pagekite: 'PageKite',
  loophole: 'Loophole',
  rathole: 'rathole',
  zrok: 'zrok',
  inlets: 'inlets',
};

/** Services and windows of mesh VPNs, by which all computers of a private network reach each other (P15.3). */
const meshPrograms: Record<string, string> = {
  tailscaled: 'Tailscale',
  'tailscale-ipn': 'Tailscale',
  netbird: 'NetBird',
  'netbird-ui': 'NetBird',
  'zerotier-one': 'ZeroTier',
  'zerotier-one_x64': 'ZeroTier',
  'zerotier-one_x86': 'ZeroTier',
  'zerotier-one_arm64': 'ZeroTier',
};
/** Elsewhere `tailscale` is a command that only asks the service. */
const macMeshPrograms: Record<string, string> = { tailscale: 'Tailscale' };

export const shippedTunnels = (): z.infer<typeof tunnelTables> => ({
  ...{ programs: tunnelPrograms, mesh: meshPrograms, mesh_macos: macMeshPrograms },
});

function nameIn(programs: Record<string, string>, name: string): string | null {
  const program = name.toLowerCase().replace(/\.exe$/, '');
  return Object.hasOwn(programs, program) ? (programs[program] ?? null) : null;
}

/** The name of the tunnel for people, or null. `name`: a file name. */
export const tunnelOf = (name: string): string | null => nameIn(tunnelPrograms, name);

/** The name of the mesh VPN for people, or null. */
export const meshVpnOf = ({ os, name }: Pick<ProgramSeen, 'os' | 'name'>): string | null =>
  nameIn(os === 'macos' ? { ...meshPrograms, ...macMeshPrograms } : meshPrograms, name);
