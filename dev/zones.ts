/** The import rules of some files. Of several zones, the first that matches a file counts. */
export interface Zone {
  files: string;
  /** Allowed path prefixes; `*` is the slice of the file, or any slice where `files` names none; the prefix `type ` allows only types. */
  may: string[];
  /** Forbidden path prefixes. Of all matching prefixes in `may` and `never`, the longest counts. */
  never?: string[];
  /** Allowed npm packages; without this field, all are allowed. */
  packages?: string[];
  node?: false;
  why: string;
}

const serverLibs = ['server/lib/', 'server/secrets/', 'server/http/', 'server/texts/'];
const serverFloor = ['server/db/', 'server/jobs/', ...serverLibs, 'type server/(incident-ports|ports|kernel).ts', 'contract/'];
const agentFloor = ['agent/api/', 'agent/state/', 'agent/lib/', 'agent/os/port', 'agent/ui/messages/', 'type agent/ports', 'contract/'];
const observed = ['type agent/os/doors', 'type agent/os/origin'];
const feedDefinitions = ['definitions/feed', 'definitions/format', 'definitions/recognition', 'definitions/signature'];
const agentSlice = 'rooms of the agent meet in agent.ts, never in each other, and see the system through os/port alone';
const apart = 'the programs do not know of each other';
const opens = 'a part of main.ts, which opens what is outside';
/** The table of `CONTRIBUTING.md`, as data. Every folder at the `*` is a slice, so new ones are covered. */
export const zones: Zone[] = [
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
    may: ['server/features/definitions/', 'type server/integrations/', 'definitions/', ...serverFloor],
    why: 'a feature asks app.ts for what another one has',
  },
  {
    files: 'server/features/*/',
    may: [
      'server/features/*/',
      'server/notifications/',
      'type server/integrations/',
      'definitions/signature',
      'type definitions/',
      ...serverFloor,
    ],
    why: 'a feature asks app.ts for what another one has',
  },
  {
    files: 'server/notifications/',
    may: ['server/notifications/', ...serverFloor],
    why: 'notifications render facts and do not know which feature they come from',
  },
  { files: 'server/(incident-)?ports.ts', may: ['type server/', 'contract/'], why: 'they hold types only' },
  { files: 'server/(kernel|app-types).ts', may: ['type server/', 'type definitions/', 'type contract/'], why: 'they hold types only' },
  {
    files: 'server/jobs/',
    may: ['server/jobs/', 'server/db/', 'server/lib/', 'server/secrets/', 'type server/texts/', 'contract/'],
    why: 'the queue carries work and does not know whose',
  },
  { files: 'server/db/', may: ['server/db/', 'type server/lib/', 'contract/'], why: 'the database lies below everything that uses it' },
  {
    files: 'server/backup/',
    may: ['server/backup/', 'server/db/', 'server/lib/', 'server/secrets/', 'server/texts/', 'contract/'],
    why: 'a backup is of tables, and does not know what they mean',
  },
  { files: 'server/lib/', may: ['server/lib/', 'server/db/', 'contract/'], why: 'lib lies at the bottom and has no product nouns' },
  {
    files: 'server/secrets/',
    may: ['server/secrets/', 'server/lib/', 'server/db/', 'definitions/signature', 'contract/'],
    why: 'secrets are sealed and compared without knowing what they open',
  },
  {
    files: 'server/http/',
    may: ['server/http/', 'server/secrets/', 'server/lib/', 'server/db/', 'contract/'],
    why: 'the front lets calls in and does not know what they do',
  },
  {
    files: 'server/texts/',
    may: ['server/texts/', 'server/http/caller-of', 'type server/http/', 'server/secrets/', 'server/lib/', 'server/db/', 'contract/'],
    why: 'words, numbers and budgets of messages do not know who sends them',
  },
  {
    files: 'server/integrations/',
    may: ['server/integrations/', ...serverLibs, 'contract/'],
    why: 'an integration does not know who calls it',
  },
  {
    files: 'server/app.ts',
    may: [
      'type server/app-types.ts',
      'server/base-kernel.ts',
      'server/config',
      'server/front.ts',
      'server/job-handlers',
      'server/features/*/feature.ts',
      'server/notifications/feature.ts',
      'type server/notifications/',
      'definitions/',
      ...serverFloor,
    ],
    why: 'app.ts takes of a feature what its feature.ts gives; main.ts alone makes what is outside',
  },
  {
    files: 'server/(base-kernel|front).ts',
    may: ['type server/app-types.ts', 'server/config', ...serverFloor],
    why: 'the kernel and the front begin without features',
  },
  {
    files: 'server/job-handlers.ts',
    may: [
      'type server/features/',
      'server/integrations/mail/mail.ts',
      'server/integrations/push/push.ts',
      'server/integrations/sms/sms.ts',
      'server/integrations/voice/voice.ts',
      'type server/notifications/',
      ...serverFloor,
    ],
    why: 'a job is sent by what app.ts hands over',
  },
  {
    files: 'server/cli/payments.ts',
    may: ['server/cli/', 'server/config', 'server/integrations/payments/', 'simulators/stripe/', ...serverFloor],
    why: 'the one command that takes a simulator takes it by name',
  },
  {
    files: 'server/cli/doctor/',
    may: [
      'server/cli/',
      ...['definitions/default-lists', 'definitions/feed-format', 'definitions/signature'],
      'server/config',
      'server/settings/',
      'server/features/',
      'server/integrations/',
      ...serverFloor,
    ],
    why: 'the doctor asks everything that the server depends on, and a test email is the only thing that it sends',
  },
  {
    files: 'server/cli/',
    may: [
      'server/cli/',
      'definitions/cli/command-line',
      'definitions/default-lists',
      'definitions/feed-format',
      'definitions/first-list',
      ...['definitions/sites/host', 'definitions/sites/list-bytes'],
      'server/config',
      'server/settings/',
      'server/features/',
      'server/notifications/deliveries',
      'server/notifications/operator-notifier',
      'server/backup/',
      'server/integrations/payments/',
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
  {
    files: 'server/open-push.ts',
    may: ['server/config', 'server/integrations/push/', 'simulators/push/', ...serverFloor],
    why: opens,
  },
  {
    files: 'server/open-simulator-pages.ts',
    may: ['server/config', 'type server/app-types.ts', 'simulators/', ...serverFloor],
    why: opens,
  },
  {
    files: 'server/operator-surroundings.ts',
    may: ['server/config', 'type server/features/', 'server/integrations/webhook/', ...serverFloor],
    why: opens,
  },
  { files: 'server/main.ts', may: ['server/', 'simulators/', 'definitions/', 'contract/'], why: 'main.ts alone chooses a simulator' },
  { files: 'server/testing/', may: ['server/', 'simulators/', 'definitions/', 'contract/'], why: apart },
  { files: 'server/', may: ['server/', 'definitions/', 'contract/'], why: apart },

  {
    files: 'simulators/',
    may: ['simulators/', 'definitions/', 'contract/'],
    why: 'a simulator speaks the real protocol and knows nothing of the server behind it',
  },

  {
    files: 'dashboard/features/*/',
    may: ['dashboard/features/*/', 'dashboard/ui/', 'dashboard/lib/', 'dashboard/integrations/', 'contract/'],
    why: 'a screen that mixes slices lives in app/',
  },
  {
    files: 'dashboard/app/',
    may: ['dashboard/app/', 'dashboard/features/', 'dashboard/ui/', 'dashboard/lib/', 'dashboard/integrations/', 'contract/'],
    why: 'app lies below main',
  },
  { files: 'dashboard/ui/', may: ['dashboard/ui/', 'dashboard/lib/', 'contract/brand', 'contract/limits'], why: 'ui has no product nouns' },
  {
    files: 'dashboard/integrations/',
    may: ['dashboard/integrations/', 'dashboard/lib/', 'contract/'],
    why: 'a service outside does not know who calls it',
  },
  { files: 'dashboard/lib/', may: ['dashboard/lib/', 'contract/'], why: 'lib lies at the bottom' },
  {
    files: 'dashboard/vite.config.ts',
    may: [
      'package.json',
      'dashboard/brand-colours',
      'dashboard/app-manifest',
      'dashboard/page-words',
      'dashboard/prerender-build',
      'dashboard/service-worker-build',
      'contract/',
    ],
    why: 'the build knows the version and the brand',
  },
  { files: 'dashboard/', may: ['dashboard/', 'contract/'], why: apart },

  {
    files: 'agent/protection/detectors/',
    may: ['type agent/protection/detectors/', 'type agent/ports', 'type agent/os/port', 'type agent/os/doors', 'definitions/', 'contract/'],
    node: false,
    why: 'a detector is pure: no system, no clock, no network, no other detector',
  },
  { files: 'agent/protection/', may: ['agent/protection/', 'definitions/', ...observed, ...agentFloor], why: agentSlice },
  { files: 'agent/browsers/', may: ['agent/browsers/', 'definitions/sites/notification-origins', ...agentFloor], why: agentSlice },
  { files: 'agent/dns-filter/', may: ['agent/dns-filter/', 'definitions/', ...agentFloor], why: agentSlice },
  {
    files: 'agent/api/',
    may: ['agent/api/', 'agent/state/', 'agent/lib/', 'type agent/ports', ...feedDefinitions, 'definitions/sites/site-', 'contract/'],
    why: 'the code that talks with the server knows no room',
  },
  {
    files: 'agent/state/',
    may: ['agent/state/', 'agent/lib/', ...feedDefinitions, 'definitions/match', 'contract/'],
    why: 'what survives a restart lies below all who use it',
  },
  { files: 'agent/lib/', may: ['agent/lib/', 'definitions/mach-o', 'contract/'], why: 'lib lies at the bottom' },
  {
    files: 'agent/os/*/',
    may: ['agent/os/*/', 'agent/os/port', 'agent/os/doors', 'agent/os/origin', 'agent/lib/', 'contract/'],
    why: 'one operating system does not know of another',
  },
  { files: 'agent/os/', may: ['agent/os/', 'agent/lib/', 'type definitions/', 'contract/'], why: agentSlice },
  {
    files: 'agent/cli/',
    may: ['agent/cli/', 'agent/dns-filter/', 'agent/lock/', ...agentFloor],
    why: 'a command is short: it asks a room and ends',
  },
  { files: 'agent/lifecycle/', may: ['agent/', 'package.json', 'definitions/signature', 'contract/'], why: apart },
  {
    files: 'agent/lock/',
    may: ['agent/lock/', 'definitions/one-time-code', 'type definitions/', ...agentFloor],
    why: agentSlice,
  },
  { files: 'agent/journeys/', may: ['agent/', 'packaging/', 'definitions/', 'contract/'], why: apart },
  { files: 'agent/testing/', may: ['agent/', 'packaging/', 'definitions/', 'contract/'], why: apart },
  { files: 'agent/ui/', may: ['agent/ui/', 'definitions/signature', 'type definitions/', ...agentFloor], why: agentSlice },
  { files: 'agent/*/', may: ['agent/*/', 'type definitions/', ...agentFloor], why: agentSlice },
  { files: 'agent/main.ts', may: ['agent/', 'package.json', 'definitions/', 'contract/'], why: apart },
  {
    files: 'agent/dns-filter.ts',
    may: ['agent/dns-filter/', 'agent/lib/', 'agent/os/'],
    why: 'the process that answers names is small and has nothing else of the agent in it',
  },
  {
    files: 'agent/',
    may: ['agent/', 'agent/os/port', 'type definitions/', 'contract/'],
    never: ['agent/os/', 'agent/cli/', 'agent/lifecycle/', 'agent/main.ts', 'agent/testing/'],
    why: 'the composition sees the system through os/port alone, and not who starts it',
  },

  {
    files: 'packaging/self-check/',
    may: ['packaging/', 'agent/lib/', 'agent/browsers/wanted', 'contract/'],
    why: 'a self-check takes from the agent what it would otherwise repeat, and runs none of it',
  },
  {
    files: 'packaging/',
    may: ['packaging/', 'definitions/', 'contract/', 'package.json'],
    why: 'an installer packs the agent, which it finds by path, and runs none of it',
  },
  {
    files: '',
    may: ['dev/', 'server/', 'simulators/', 'agent/', 'packaging/', 'dashboard/', 'definitions/', 'contract/', 'e2e/', 'bench/'],
    why: 'dev, e2e and bench may use everything',
  },
];
