import { readCatalogue } from './catalogue.ts';
import { type CommandPatterns, commandPatterns } from './commands/format.ts';
import patterns from './commands/patterns.json' with { type: 'json' };
import type { Definition } from './format.ts';
import type { MoneyList } from './money/format.ts';
import { readInstitutions } from './money/institutions.ts';
import brandFile from './names/brands.json' with { type: 'json' };
import { type NameTables, nameTables } from './names/format.ts';
import skeletonFile from './names/skeletons.json' with { type: 'json' };
import { nameWords } from './names/words.ts';
import type { Recognition } from './recognition.ts';
import { neverBlockWith } from './sites/never-block.ts';
import type { TunnelTables } from './tunnels.ts';

const commands: CommandPatterns = commandPatterns.parse(patterns);
const money: MoneyList = readInstitutions().institutions.map(({ kind, domains }) => ({ kind, domains }));
/** Without the sources, which agents do not need. */
const names: NameTables = nameTables.parse({ ...nameWords, brands: brandFile.brands, skeletons: skeletonFile.skeletons });

/**
 * Programs that open a way from the internet to a port of this computer, past its router. Developers use them too, so they are reported and
 * never stopped (P12.5). Sources: MITRE ATT&CK T1572 and S0508, CISA AA23-320A and AA24-038A, the makers' own download pages.
 */
const programs: TunnelTables['programs'] = {
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
const mesh: TunnelTables['mesh'] = {
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
const mesh_macos: TunnelTables['mesh_macos'] = { tailscale: 'Tailscale' };

/** What ships with this version. `definitions`: the shipped catalogue unless given. Agents have none of it: they get it from their server. */
export const shippedRecognition = (definitions: Definition[] = readCatalogue()): Recognition => ({
  ...{ definitions, commands, money },
  tunnels: { programs, mesh, mesh_macos },
  names,
});

/** For checks and imports, which ask before there is a set. */
export const shippedNeverBlock = neverBlockWith(money);
