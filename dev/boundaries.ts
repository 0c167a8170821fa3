import type { Import } from './imports.ts';

/** A part of the house: what its files may import. The first zone that matches a file counts. */
interface Zone {
  /** `*` stands for the name of a slice. */
  files: string;
  /** Beginnings of paths; `*` is the same slice again; `type ` in front: only types of it. */
  may: string[];
  /** The only packages allowed; without it, all. */
  packages?: string[];
  /** May it use Node's own modules? Yes when left out. */
  node?: false;
  why: string;
}

const serverFloor = ['server/db/', 'server/jobs/', 'server/lib/', 'contract/'];
const agentFloor = ['agent/state/', 'agent/lib/', 'agent/os/port', 'contract/'];
const agentPart = 'parts of the agent meet in agent.ts, never in each other, and see the system through os/port alone';

/** The table of `CONTRIBUTING.md`, as data. Every folder at the `*` is a slice, so a new one is covered at once. */
const zones: Zone[] = [
  {
    files: 'contract/',
    may: ['contract/'],
    packages: ['zod'],
    node: false,
    why: 'the dictionary is pure: it knows no program, no Node and no browser',
  },
  {
    files: 'definitions/',
    may: ['definitions/', 'contract/'],
    why: 'definitions know what a threat looks like and nothing of the programs',
  },

  {
    files: 'server/features/definitions/',
    may: ['server/features/definitions/', 'type server/outside/', 'definitions/', ...serverFloor],
    why: 'a feature asks app.ts for what another one has',
  },
  {
    files: 'server/features/*/',
    may: ['server/features/*/', 'type server/outside/', 'definitions/signature', 'type definitions/', ...serverFloor],
    why: 'a feature asks app.ts for what another one has',
  },
  {
    files: 'server/jobs/',
    may: ['server/jobs/', 'server/db/', 'server/lib/', 'contract/'],
    why: 'the queue carries work and does not know whose',
  },
  { files: 'server/db/', may: ['server/db/', 'type server/lib/', 'contract/'], why: 'the database lies below everything that uses it' },
  { files: 'server/lib/', may: ['server/lib/', 'server/db/', 'definitions/signature', 'contract/'], why: 'lib has no product nouns' },
  { files: 'server/outside/', may: ['server/outside/', 'server/lib/', 'contract/'], why: 'a service outside does not know who calls it' },
  {
    files: 'server/app.ts',
    may: [
      'server/config',
      'server/job-handlers',
      'server/wire-',
      'server/features/',
      'type server/outside/',
      'definitions/',
      ...serverFloor,
    ],
    why: 'app.ts wires the slices; main.ts alone makes what is outside',
  },
  {
    files: 'server/job-handlers.ts',
    may: ['type server/features/', 'server/outside/mail/mail.ts', 'server/outside/sms/sms.ts', ...serverFloor],
    why: 'a job is sent by what app.ts hands over',
  },
  {
    files: 'server/cli/',
    may: [
      'server/cli/',
      'definitions/cli/command-line',
      'server/config',
      'server/settings/',
      'server/features/',
      'server/outside/payments/',
      ...serverFloor,
    ],
    why: 'the command writes through the stores of the slices and, for promos, at Stripe; it neither serves nor sends anything',
  },
  { files: 'server/config.ts', may: ['server/settings/', 'contract/'], why: 'settings are read before anything exists' },
  {
    files: 'server/settings/',
    may: ['server/settings/', 'contract/brand'],
    packages: [],
    why: 'settings are read before the packages are there',
  },
  { files: 'server/', may: ['server/', 'definitions/', 'contract/'], why: 'the programs do not know of each other' },

  {
    files: 'dashboard/features/*/',
    may: ['dashboard/features/*/', 'dashboard/ui/', 'dashboard/lib/', 'dashboard/outside/', 'contract/'],
    why: 'a screen that mixes slices lives in app/',
  },
  {
    files: 'dashboard/app/',
    may: ['dashboard/app/', 'dashboard/features/', 'dashboard/ui/', 'dashboard/lib/', 'dashboard/outside/', 'contract/'],
    why: 'app lies below main',
  },
  { files: 'dashboard/ui/', may: ['dashboard/ui/', 'dashboard/lib/', 'contract/brand', 'contract/limits'], why: 'ui has no product nouns' },
  {
    files: 'dashboard/outside/',
    may: ['dashboard/outside/', 'dashboard/lib/', 'contract/'],
    why: 'a service outside does not know who calls it',
  },
  { files: 'dashboard/lib/', may: ['dashboard/lib/', 'contract/'], why: 'lib lies at the bottom' },
  { files: 'dashboard/vite.config.ts', may: ['package.json', 'contract/'], why: 'the build knows the version and the brand' },
  { files: 'dashboard/', may: ['dashboard/', 'contract/'], why: 'the programs do not know of each other' },

  {
    files: 'agent/detectors/*/',
    may: ['agent/detectors/*/', 'type agent/detectors/', 'definitions/', 'contract/'],
    node: false,
    why: 'a detector is pure: no system, no clock, no network, no other detector',
  },
  { files: 'agent/detectors/', may: ['agent/detectors/', 'type agent/os/port', 'definitions/', 'contract/'], why: agentPart },
  { files: 'agent/network/', may: ['agent/network/', 'definitions/', ...agentFloor], why: agentPart },
  { files: 'agent/scan/', may: ['agent/scan/', 'definitions/', ...agentFloor], why: agentPart },
  {
    files: 'agent/sync/',
    may: ['agent/sync/', 'definitions/feed', 'definitions/format', 'definitions/signature', 'definitions/sites/site-', ...agentFloor],
    why: agentPart,
  },
  { files: 'agent/update/', may: ['agent/update/', 'definitions/signature', ...agentFloor], why: agentPart },
  {
    files: 'agent/enforce/',
    may: ['agent/enforce/', 'type agent/detectors/detector', 'definitions/match', 'type definitions/', ...agentFloor],
    why: agentPart,
  },
  { files: 'agent/loopback/', may: ['agent/loopback/', 'definitions/signature', 'type definitions/', ...agentFloor], why: agentPart },
  {
    files: 'agent/state/',
    may: ['agent/state/', 'agent/lib/', 'definitions/feed', 'definitions/format', 'definitions/signature', 'contract/'],
    why: 'what survives a restart lies below all who use it',
  },
  { files: 'agent/lib/', may: ['agent/lib/', 'definitions/mach-o', 'contract/'], why: 'lib lies at the bottom' },
  {
    files: 'agent/os/port.ts',
    may: ['type definitions/format', 'type definitions/remove-shapes', 'contract/'],
    why: 'the port is an interface',
  },
  {
    files: 'agent/os/*/',
    may: ['agent/os/*/', 'agent/os/port', 'agent/lib/', 'contract/'],
    why: 'one operating system does not know of another',
  },
  { files: 'agent/os/', may: ['agent/os/', 'agent/lib/', 'contract/'], why: agentPart },
  {
    files: 'agent/start.ts',
    may: ['agent/main', 'agent/site-filter', 'agent/as-owner'],
    why: 'it starts one of three programs, and nothing of the others',
  },
  {
    files: 'agent/as-owner.ts',
    may: ['agent/lib/files/answer'],
    why: "what runs with a person's rights has nothing else of the agent in it",
  },
  { files: 'agent/system-here.ts', may: ['agent/os/'], why: 'it picks the operating system and does nothing else' },
  { files: 'agent/main', may: ['agent/', 'package.json', 'definitions/', 'contract/'], why: 'the programs do not know of each other' },
  {
    files: 'agent/site-filter.ts',
    may: ['agent/lib/give-back', 'agent/network/', 'agent/os/', 'agent/system-here'],
    why: 'the process that answers names is small and has nothing else of the agent in it',
  },
  { files: 'agent/testing/', may: ['agent/', 'packaging/', 'definitions/', 'contract/'], why: 'the programs do not know of each other' },
  { files: 'agent/*/', may: ['agent/*/', 'type definitions/', ...agentFloor], why: agentPart },
  {
    files: 'agent/',
    may: [
      'agent/detectors/',
      'agent/enforce/',
      'agent/network/',
      'agent/loopback/',
      'agent/owner',
      'agent/scan/',
      'agent/sync/',
      'agent/window/',
      'agent/pin/',
      'agent/update/',
      'agent/agent.ts',
      'agent/code-file',
      'agent/control',
      'agent/in-force',
      'agent/life',
      'agent/linking',
      'agent/options',
      'agent/outcome',
      'agent/protect',
      'agent/screen',
      'agent/session',
      'agent/supervisor',
      'agent/site-finding',
      'agent/site-options',
      'agent/look-around',
      'agent/installer-name',
      'package.json',
      'definitions/match',
      'definitions/signature',
      'type definitions/',
      ...agentFloor,
    ],
    why: 'the loop sees the system through os/port alone',
  },

  {
    files: 'packaging/',
    may: ['packaging/', 'definitions/', 'contract/', 'package.json'],
    why: 'an installer packs the agent, which it finds by path, and runs none of it',
  },

  {
    files: '',
    may: ['dev/', 'server/', 'agent/', 'dashboard/', 'packaging/', 'definitions/', 'contract/', 'e2e/', 'bench/'],
    why: 'dev, e2e and bench may use everything',
  },
];

const isTest = /\.test\.tsx?$/;

/** Null when the import is allowed, else why not. `reachesSchemas`: does this file need the schema library at run time? */
export function judge(file: string, { to, types_only }: Import, reachesSchemas: (contractFile: string) => boolean): string | null {
  const { zone, slice } = zoneOf(file);
  const test = isTest.test(file);
  if (to.startsWith('node:')) return zone.node === false && !test ? zone.why : null;
  if (to.startsWith('npm:')) return test || !zone.packages || zone.packages.includes(to.slice(4)) ? null : zone.why;
  if (file.startsWith('dashboard/') && to.startsWith('contract/') && !types_only && !test && reachesSchemas(to)) {
    return 'the browser gets the types of the contract, not its schemas: they weigh more than a whole screen';
  }
  const program = file.split('/')[0] ?? '';
  const forTests = {
    server: ['server/testing/', 'server/outside/', 'definitions/'],
    // Some tests build the agent, or an installer of it, and run that.
    agent: ['agent/testing/', 'packaging/', 'definitions/'],
  }[program] ?? [`${program}/testing/`, 'definitions/'];
  const may = test ? [...zone.may, ...forTests] : zone.may;
  // A test beside a program's composition may import all of that program.
  if (test && file.split('/').length === 2 && to.startsWith(`${program}/`)) return null;
  const allowed = may.some((entry) => {
    const bare = entry.replace(/^type /, '').replace('*', slice);
    return to.startsWith(bare) && (types_only || !entry.startsWith('type '));
  });
  return allowed ? null : zone.why;
}

function zoneOf(file: string): { zone: Zone; slice: string } {
  for (const zone of zones) {
    const found = new RegExp(`^${zone.files.replaceAll('.', '\\.').replace('*', '([^/]+)')}`).exec(file);
    if (found) return { zone, slice: found[1] ?? '' };
  }
  throw new Error(`no zone for ${file}`);
}
