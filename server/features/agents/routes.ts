import {
  type AccountHolder,
  type AgentInfo,
  agentEndpoints,
  type DevicePolicy,
  type ReportedDetection,
} from '@porchlight/contract/agent.ts';
import type { Goodbye } from '@porchlight/contract/care.ts';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import type { News } from '@porchlight/contract/news.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { PinHash, SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import type { ToldOf } from '@porchlight/contract/told.ts';
import { signDocument } from '@porchlight/definitions/signature.ts';
import type { FastifyInstance } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import type { Call } from '../../lib/admission.ts';
import { bind } from '../../lib/bind.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { CodeGuard } from '../../lib/code-guard.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { SigningKeys } from '../../lib/signing-keys.ts';
import type { LongPolls } from './long-polls.ts';
import { type DeviceForPolicy, devicePolicy } from './policy.ts';
import { deviceUse } from './use.ts';

/** Of lists of keys. */
interface Known {
  epoch: number;
  version: number;
}

export interface AgentDeps {
  db: Db;
  clock: Clock;
  gates: Gates;
  limit: Limit;
  /** Bounds the guessing of codes. */
  guard: Pick<CodeGuard, 'lookUp'>;
  longPolls: LongPolls;
  /** Waits for a change outside of the admission queue; afterwards the call queues behind newer ones. */
  held(call: Call, news: Promise<void>): Promise<void>;
  public_url: string;
  keys: SigningKeys;
  codes: {
    look(code: string): Promise<{ used: Date | null; expires: Date } | undefined>;
    /** Whose the computer would be; undefined when the code does not work, unless this very attempt has used it up. */
    whose(code: string, enrol_id: string | null): Promise<{ account: string; device_name: string } | undefined>;
    useUp(trx: Trx, code: string): Promise<string | null>;
    /** The device for which the same attempt has redeemed the code already, if the response was lost. */
    redeemedByLostEnrolment(trx: Trx, code: string, enrol_id: string): Promise<string | null>;
    newDeviceToken(trx: Trx, device: string): Promise<string>;
  };
  devices: {
    markInstalled(trx: Trx, uuid: string, info: AgentInfo, enrol_id: string | null): Promise<unknown>;
    seen(
      uuid: string,
      seen?: { info?: AgentInfo; protecting?: boolean; strict_until?: Date | null; leaves?: Date | null },
    ): Promise<unknown>;
    forPolicy(uuid: string): Promise<(DeviceForPolicy & { account: string }) | undefined>;
    /** Raises the version of its policy. */
    bumpPolicy(trx: Trx, account: string, uuid: string): Promise<unknown>;
  };
  definitions: {
    feed(known: Known): Promise<SignedFeed>;
    keysAfter(known: Known): Promise<SignedDocument[]>;
    newest(): Promise<{ version: number; keys: Known }>;
    rootKey(): Promise<string>;
  };
  guardianNamesOf(account: string): Promise<string[]>;
  /** Whose account it is, in what a stranger may read. */
  holderOf(account: string): Promise<AccountHolder>;
  /** The allow list of a device, as its policy carries it. */
  allowOf(device: string): Promise<DevicePolicy['allow']>;
  /** What a device checks the Admin PIN against. */
  pinOf(account: string, device: string): Promise<PinHash>;
  isPin(account: string, typed: string): Promise<boolean>;
  /** Without one a device has the free plan's protection, until there is one again (P6.3). */
  hasValidPlan(account: string): Promise<boolean>;
  health: {
    /** What an agent says before it goes, stops protecting, or protects again. */
    goodbye(device: string, said: Goodbye): Promise<void>;
    /** What was done at the computer, each once; answers the ids that are stored. */
    news(device: string, news: News[]): Promise<string[]>;
    /** Ends its outage at a check-in. */
    heard(device: string, said: { protecting: boolean; says_sleep: boolean; away?: number | undefined }): Promise<unknown>;
  };
  storeScan(device: string, scan: AgentScan): Promise<void>;
  storeDetections(device: string, detections: ReportedDetection[]): Promise<void>;
  /** The people who were notified of these detections. */
  recipientsOf(device: string, detections: string[]): Promise<ToldOf[]>;
}

export function agentRoutes(app: FastifyInstance, deps: AgentDeps): void {
  const { db, clock, gates, limit, longPolls, keys, codes, devices, definitions } = deps;

  /** A device that has definitions learns of newer ones when its turn comes, so that not all fetch them at the same moment. */
  const policyNow = async (uuid: string, known: { known_definitions: number; known_epoch?: number | undefined }) => {
    const device = await devices.forPolicy(uuid);
    if (!device) fail('device_removed');
    const newest = await definitions.newest();
    const hears = known.known_definitions === 0 || isNewEpoch(newest, known) || longPolls.isItsTurn(uuid);
    return { device, newest: hears ? newest : { ...newest, version: known.known_definitions } };
  };
  const use = deviceUse(db, clock);
  /** Whether the device is given the hash of the PIN; its policy is another one from then on. */
  const isUsed = async (device: string): Promise<boolean> => {
    const used = await use.note(device, async (trx) => {
      const owner = await trx.selectFrom('devices').select('account').where('uuid', '=', device).executeTakeFirst();
      if (owner) await devices.bumpPolicy(trx, owner.account, device);
    });
    return used !== 'not yet';
  };

  const newerFeed = async (query: { known: number; known_keys: number; known_epoch: number }) => {
    const { version, keys: list } = await definitions.newest();
    return version > query.known || list.epoch > query.known_epoch ? definitions.feed(knownIn(query)) : null;
  };

  /** What `find` answers for a code; refuses one for which it answers null, and says why that does not work. Unknown ones are bounded. */
  const lookUp = async <T extends object>(ip: string, code: string, find: () => Promise<T | null>) => {
    const looked = await deps.guard.lookUp(ip, async () => {
      const found = await find();
      if (found !== null) return { found };
      const dead = await codes.look(code);
      return dead ? { dead } : null;
    });
    if (!looked) return fail('code_unknown');
    return looked.found ?? fail(looked.dead?.used ? 'code_used' : 'code_expired');
  };
  const fromNow = (ms: number | null) => (ms ? after(clock.now(), ms) : null);

  bind(app, gates, agentEndpoints, {
    'GET /agent/server': async () => ({
      public_url: deps.public_url,
      keys: {
        link: (await keys.link()).public_key,
        policy: (await keys.policy()).public_key,
        definitions: await definitions.rootKey(),
      },
    }),

    'GET /agent/free-plan': async ({ query }) => ({
      definitions: await newerFeed(query),
    }),

    'GET /agent/keys': async ({ query }) => ({ keys: await definitions.keysAfter(knownIn(query)) }),

    'POST /agent/enrol': async ({ body, ip }) => {
      await limit('code', ip, { max: 10, per: 60_000 });
      const code = readDeviceCode(body.code) ?? fail('code_unknown');
      const enrol = async (trx: Trx) => {
        const { enrol_id = null } = body;
        const uuid = (await codes.useUp(trx, code)) ?? (enrol_id && (await codes.redeemedByLostEnrolment(trx, code, enrol_id)));
        if (!uuid) return null;
        const agent_token = await codes.newDeviceToken(trx, uuid);
        await devices.markInstalled(trx, uuid, body.info, enrol_id);
        const { name, account } = await trx
          .selectFrom('devices')
          .select(['name', 'account'])
          .where('uuid', '=', uuid)
          .executeTakeFirstOrThrow();
        return { agent_token, device: { uuid, name }, account };
      };
      const { account, ...answer } = await lookUp(ip, code, () => db.transaction().execute(enrol));
      return { ...answer, holder: await deps.holderOf(account) };
    },

    'POST /agent/whose': async ({ body, ip }) => {
      await limit('code', ip, { max: 10, per: 60_000 });
      const code = readDeviceCode(body.code) ?? fail('code_unknown');
      const whose = async () => (await codes.whose(code, body.enrol_id ?? null)) ?? null;
      const { account, device_name } = await lookUp(ip, code, whose);
      return { holder: await deps.holderOf(account), device_name };
    },

    'POST /agent/check-in': async ({ device, body }) => {
      const { info, protecting, strict_for, leaves_in } = body;
      await devices.seen(device, { info, protecting, strict_until: fromNow(strict_for), leaves: fromNow(leaves_in) });
      await deps.health.heard(device, body);
      return { told: await deps.recipientsOf(device, body.asks) };
    },

    'POST /agent/goodbye': async ({ device, body }) => {
      await devices.seen(device);
      await deps.health.goodbye(device, body);
      return {};
    },

    'POST /agent/news': async ({ device, body }) => {
      await devices.seen(device);
      return { stored: await deps.health.news(device, body.news) };
    },

    'GET /agent/policy': async ({ device, query, request }) => {
      await devices.seen(device);
      const used = await isUsed(device);
      // The wait starts before the read, so that no change in between is missed.
      const waiting = longPolls.wait(device, query.wait, query.known);
      request.raw.socket.once('close', waiting.stop);
      try {
        let now = await policyNow(device, query);
        const isNews = now.device.policy_version > query.known || now.newest.version > query.known_definitions;
        if (!isNews && !isNewEpoch(now.newest, query)) {
          await deps.held(request.raw, waiting.news);
          now = await policyNow(device, query);
        }
        const { account } = now.device;
        const [guardians, allow] = [await deps.guardianNamesOf(account), await deps.allowOf(device)];
        const [paid, holder] = [await deps.hasValidPlan(account), await deps.holderOf(account)];
        // Where another person uses the computer, the holder is one of the people to call.
        const { person } = now.device;
        const family = person && !person.is_holder ? [holder.first_name, ...guardians] : guardians;
        const pin = used ? await deps.pinOf(account, device) : null;
        const { version, keys: list } = now.newest;
        const policy = devicePolicy(now.device, { epoch: list.epoch, family, holder, allow, paid, pin, issued: clock.now() });
        return { policy: signDocument(policy, await keys.policy()), definitions_version: version, keys: list };
      } finally {
        request.raw.socket.off('close', waiting.stop);
        waiting.stop();
      }
    },

    'GET /agent/definitions': ({ query }) => definitions.feed(knownIn(query)),

    'POST /agent/pin': async ({ device, body }) => {
      await devices.seen(device);
      const owner = (await devices.forPolicy(device)) ?? fail('device_removed');
      const { pin_tries, pin_tries_per, pin_tries_day } = serverLimits;
      // Before it is known whether it is right, and for all devices of the account together: more devices are no more tries.
      await limit('device-pin', owner.account, { max: pin_tries, per: pin_tries_per });
      await limit('device-pin-day', owner.account, { max: pin_tries_day, per: 86_400_000 });
      return { right: await deps.isPin(owner.account, body.pin) };
    },

    'POST /agent/scan': async ({ device, body }) => {
      await devices.seen(device);
      await deps.storeScan(device, body);
      return {};
    },

    'POST /agent/detections': async ({ device, body }) => {
      await devices.seen(device);
      await deps.storeDetections(device, body.detections);
      return { stored: body.detections.map((d) => d.uuid) };
    },
  });
}

const knownIn = (query: { known_keys: number; known_epoch: number }): Known => ({ epoch: query.known_epoch, version: query.known_keys });
/** An agent that does not report its epoch could not use another one either. */
const isNewEpoch = (newest: { keys: { epoch: number } }, { known_epoch }: { known_epoch?: number | undefined }): boolean =>
  known_epoch !== undefined && newest.keys.epoch > known_epoch;
