import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import type { Api } from '@porchlight/contract/all.ts';
import type { World } from './hold-table-worlds.ts';
import { goodPassword, type Loose } from './world.ts';

/** The calls of a contract whose errors list `held`. */
type WaitingCallOf<Contract extends object> = {
  [Key in keyof Contract]: Contract[Key] extends { errors: readonly unknown[] }
    ? 'held' extends Contract[Key]['errors'][number]
      ? Key
      : never
    : never;
}[keyof Contract];

/** One way in which a call weakens protection. */
export interface Weakening {
  kind: ActivityKind;
  params?(world: World): Record<string, string>;
  body?(world: World): object;
  /** What the call changes, as people or agents can read it. */
  read(world: World): Promise<unknown>;
  /** What `read` returns once the call has passed. Left out: something else than before. */
  becomes?: unknown;
  /** A world in which the call weakens something. Left out: every one. */
  possible?(world: Pick<World, 'family' | 'ask_first' | 'caller'>): boolean;
  /** The call comes from the link of an email, so no password can have been entered in its session. */
  without_session?: true;
}

export type WeakeningTable<Contract extends object> = Record<WaitingCallOf<Contract>, Weakening[]>;

const get = async (world: World, path: string) => (await world.call(`GET ${path}`)).body;
const list = (items: Loose | undefined) => items as unknown as Loose[];
const guardianOf = async (world: World, uuid: string | undefined) =>
  list((await get(world, '/web/guardians')).guardians).find((one) => String(one.uuid) === uuid);
const guardianStateOf = async (world: World, uuid: string | undefined) => (await guardianOf(world, uuid))?.state ?? 'none';
const hasGuardian = ({ family }: Pick<World, 'family'>) => !['no guardian', 'removed yesterday', 'mum’s, alone'].includes(family);

/** How each call weakens protection. A world makes the calls in this order: a guardian, and a device, are removed last. */
export const weakeningCalls: WeakeningTable<Api> = {
  'PATCH /web/profile': [
    {
      kind: 'phone_changed',
      body: () => ({ phone_number: '+12025550144', current_password: goodPassword }),
      read: async (world) => (await get(world, '/web/profile')).phone_number,
      becomes: '+12025550144',
    },
  ],
  'POST /confirm-email-change': [
    {
      kind: 'email_changed',
      body: ({ email_token }) => ({ token: email_token }),
      read: async (world) => (await get(world, '/web/profile')).email,
      without_session: true,
    },
  ],
  'GET /web/bypasspassword': [
    {
      kind: 'pin_shown',
      // Reading the PIN is the change, so only the log shows it; an answer `held` has no field for the PIN.
      read: async (world) => list((await get(world, '/web/acts')).items).filter(({ kind }) => String(kind) === 'pin_shown').length,
      becomes: 1,
    },
  ],
  'POST /web/bypasspassword': [
    {
      kind: 'pin_reset',
      // Every call that shows the PIN would be an activity itself.
      read: async ({ server, account }) =>
        (await server.db.selectFrom('accounts').select('sealed_pin').where('uuid', '=', account).executeTakeFirstOrThrow()).sealed_pin,
    },
  ],
  'PATCH /web/policies/:uuid': [
    {
      kind: 'profile_changed',
      params: ({ profile }) => ({ uuid: profile }),
      body: () => ({ name: 'Grandson helps', actions: { RemoteControl: 'alert', DeceptiveUtility: 'block', ScamWebsite: 'block' } }),
      read: async (world) =>
        list((await get(world, '/web/policies')).custom_policies).find(({ uuid }) => String(uuid) === world.profile)?.actions
          ?.RemoteControl,
      becomes: 'alert',
    },
  ],
  'POST /web/devices/:uuid': [
    {
      kind: 'profile_chosen',
      params: ({ den }) => ({ uuid: den.uuid }),
      body: () => ({ name: 'Den PC', policy: 'permissive' }),
      read: async (world) => (await get(world, `/web/devices/${world.den.uuid}`)).policy,
      becomes: 'permissive',
    },
    {
      kind: 'person_changed',
      params: ({ attic }) => ({ uuid: attic.uuid }),
      body: ({ profile }) => ({ name: 'Attic PC', policy: profile, person: { name: 'Eve', is_holder: false } }),
      read: async (world) => (await get(world, `/web/devices/${world.attic.uuid}`)).person?.name ?? null,
      becomes: 'Eve',
    },
  ],
  'POST /web/devices/:id/v2/exceptions': [
    {
      kind: 'allowed',
      params: ({ den }) => ({ id: den.uuid }),
      body: () => ({ type: 'definition', identifier: 'anydesk', lasts: null }),
      read: async (world) => list((await get(world, `/web/devices/${world.den.uuid}/v2/exceptions`)).items).map((one) => one.identifier),
      becomes: ['anydesk'],
    },
  ],
  'POST /web/create-guardian': [
    {
      kind: 'guardian_added',
      body: ({ unique }) => ({ name: 'Eve', email: `eve-${unique}@example.org` }),
      read: async (world) => list((await get(world, '/web/guardians')).guardians).filter(({ name }) => String(name) === 'Eve').length,
      becomes: 1,
    },
  ],
  'POST /web/guardians/:uuid/resend': [
    {
      kind: 'guardian_added',
      params: ({ declined }) => ({ uuid: declined }),
      read: (world) => guardianStateOf(world, world.declined),
      becomes: 'pending',
    },
  ],
  'PATCH /web/alert-settings': [
    {
      kind: 'alerts_off',
      body: () => ({ mail: false }),
      read: async (world) => (await get(world, '/web/alert-settings')).mail,
      becomes: false,
    },
    {
      kind: 'outage_later',
      body: () => ({ notify_after_days: 7 }),
      read: async (world) => (await get(world, '/web/alert-settings')).notify_after_days,
      becomes: 7,
    },
  ],
  'PATCH /web/browsing-protection': [
    {
      kind: 'browsers_off',
      body: () => ({ browsers: false }),
      read: async (world) => (await get(world, '/web/browsing-protection')).browsers,
      becomes: false,
    },
    {
      kind: 'resolver_off',
      body: () => ({ resolver: 'network' }),
      read: async (world) => (await get(world, '/web/browsing-protection')).resolver,
      becomes: 'network',
    },
    {
      kind: 'notifications_allowed',
      body: () => ({ notification_origins: ['https://mail.example'] }),
      read: async (world) => (await get(world, '/web/browsing-protection')).notification_origins,
      becomes: ['https://mail.example'],
    },
  ],
  'PATCH /web/unlisted-protection': [
    {
      kind: 'unlisted_off',
      body: () => ({ pasted_commands: false }),
      read: async (world) => (await get(world, '/web/unlisted-protection')).pasted_commands,
      becomes: false,
    },
    {
      kind: 'unlisted_off',
      body: () => ({ new_programs: 'count' }),
      read: async (world) => (await get(world, '/web/unlisted-protection')).new_programs,
      becomes: 'count',
    },
    {
      kind: 'unlisted_off',
      body: () => ({ doors: false }),
      read: async (world) => (await get(world, '/web/unlisted-protection')).doors,
      becomes: false,
    },
    {
      kind: 'unlisted_off',
      body: () => ({ money_pages: false }),
      read: async (world) => (await get(world, '/web/unlisted-protection')).money_pages,
      becomes: false,
    },
    {
      kind: 'unlisted_off',
      body: () => ({ money_sites: [] }),
      read: async (world) => (await get(world, '/web/unlisted-protection')).money_sites,
      becomes: [],
    },
    {
      kind: 'unlisted_off',
      body: () => ({ money_open: ['bank.example'] }),
      read: async (world) => (await get(world, '/web/unlisted-protection')).money_open,
      becomes: ['bank.example'],
    },
  ],
  'PATCH /web/holding': [
    {
      kind: 'ask_first_off',
      body: () => ({ ask_first: false }),
      read: async (world) => (await get(world, '/web/holding')).ask_first,
      becomes: false,
      // The switch can only be turned off where it is on.
      possible: ({ ask_first }) => ask_first === 'on',
    },
  ],
  'PUT /web/guardians/order': [
    {
      kind: 'guardians_reordered',
      body: ({ declined }) => ({ order: [declined] }),
      read: async (world) => list((await get(world, '/web/guardians')).guardians).map(({ uuid }) => uuid),
      // With one guardian there is nothing to order.
      possible: hasGuardian,
    },
  ],
  'PATCH /web/guardians/:uuid': [
    {
      kind: 'isolation_off',
      params: ({ bob }) => ({ uuid: bob?.uuid ?? '' }),
      body: () => ({ may_isolate: false }),
      read: async (world) => (await guardianOf(world, world.bob?.uuid))?.may_isolate,
      becomes: false,
      // Who accepted no invitation cannot cut the internet, so there must be an active guardian.
      possible: hasGuardian,
    },
  ],
  'POST /web/account/deletion': [
    {
      kind: 'deletion_asked',
      body: () => ({ current_password: goodPassword }),
      read: async (world) => (await get(world, '/web/account/deletion')).deletes,
    },
  ],
  'DELETE /web/devices/:id/call-consent': [
    {
      kind: 'call_consent_off',
      params: ({ mums }) => ({ id: mums }),
      read: async (world) => (await get(world, `/web/devices/${world.mums}/call-consent`)).state,
      becomes: 'none',
    },
  ],
  'POST /web/appointments': [
    {
      kind: 'helping',
      body: ({ den }) => ({ device: den.uuid, identifier: 'anydesk', minutes: 15, money_pages: false }),
      read: async (world) => list((await get(world, '/web/appointments')).items).length,
      // Besides passing the gate, the holder has to be elsewhere than the computer of somebody else, with the password.
      possible: ({ family, caller }) => family.startsWith('mum’s') && caller === 'elsewhere',
    },
  ],
  'DELETE /web/guardians/:uuid': [
    {
      kind: 'guardian_removed',
      params: ({ bob }) => ({ uuid: bob?.uuid ?? '' }),
      read: (world) => guardianStateOf(world, world.bob?.uuid),
      becomes: 'none',
      // Removing an invitation weakens nothing, so there must be an active guardian.
      possible: hasGuardian,
    },
  ],
  'DELETE /web/devices/:uuid': [
    {
      kind: 'device_removed',
      params: ({ den }) => ({ uuid: den.uuid }),
      read: async (world) => (await world.call(`GET /web/devices/${world.den.uuid}`)).status,
      becomes: 404,
    },
  ],
};

/** Each way to weaken protection, with its call. */
export const weakenings = Object.entries(weakeningCalls).flatMap(([key, ways]) => ways.map((way) => ({ key, ...way })));

/** The key of a call to the test server, with its parameters in the path. */
export const pathOf = (key: string, params: Record<string, string> = {}) =>
  Object.entries(params).reduce((path, [name, value]) => path.replace(`:${name}`, value), key);
