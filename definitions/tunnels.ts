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

/** The name of the tunnel for people, or null. `name`: a file name. */
export const tunnelOf = (name: string): string | null => {
  const program = name.toLowerCase().replace(/\.exe$/, '');
  return Object.hasOwn(tunnelPrograms, program) ? (tunnelPrograms[program] ?? null) : null;
};
