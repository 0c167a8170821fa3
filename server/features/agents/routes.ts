import { type AccountHolder, type AgentInfo, agentEndpoints, type ReportedDetection } from '@porchlight/contract/agent.ts';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import type { DetectionDeliveries } from '@porchlight/contract/detection-deliveries.ts';
import type { Goodbye } from '@porchlight/contract/device-health.ts';
import type { CodeSecret } from '@porchlight/contract/one-time-codes.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { PinHash, SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import { signDocument } from '@porchlight/definitions/signature.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Call } from '../../http/admission.ts';
import { bind } from '../../http/bind.ts';
import type { CodeGuard } from '../../http/code-guard.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { BrowsingProtectionLookup } from '../../ports.ts';
import type { SigningKeys } from '../../secrets/signing-keys.ts';
import type { LongPolls } from './long-polls.ts';
import { type AllowedEntry, type DeviceCaution, type DeviceForPolicy, devicePolicy, type PolicyContext } from './policy.ts';

interface Known {
  epoch: number;
  version: number;
}

export interface AgentDeps extends Pick<Kernel, 'db' | 'clock' | 'gates' | 'limit'> {
  guard: Pick<CodeGuard, 'lookUp'>;
  longPolls: LongPolls;
  /** Waits without occupying the admission queue; afterwards the request queues behind newer requests. */
  waitUnadmitted(call: Call, changed: Promise<unknown>): Promise<void>;
  public_url: string;
  keys: SigningKeys;
  codes: {
    find(code: string): Promise<{ used: Date | null; expires: Date } | undefined>;
    /** The code's account; undefined when invalid. A redeemed code is valid for its own enrolment until the agent has its token. */
    whose(code: string, enrol_id: string | null): Promise<{ account: string; device_name: string } | undefined>;
    useUp(trx: Trx, code: string): Promise<string | null>;
    redeemedByLostEnrolment(trx: Trx, code: string, enrol_id: string): Promise<string | null>;
    newDeviceToken(trx: Trx, device: string): Promise<string>;
  };
  devices: {
    markInstalled(trx: Trx, uuid: string, info: AgentInfo, enrol_id: string): Promise<unknown>;
    seen(
      uuid: string,
      seen?: { info?: AgentInfo; protecting?: boolean; strict_until?: Date | null; leaves?: Date | null },
    ): Promise<unknown>;
    forPolicy(uuid: string): Promise<(DeviceForPolicy & { account: string }) | undefined>;
  };
  /** See `deviceUse`. */
  noteUse(device: string): Promise<'not yet' | 'now' | 'before'>;
  definitions: {
    feed(known: Known): Promise<SignedFeed>;
    keysAfter(known: Known): Promise<SignedDocument[]>;
    newest(): Promise<{ version: number; keys: Known }>;
    rootKey(): Promise<string>;
  };
  guardianNamesOf(account: string): Promise<string[]>;
  holderOf(account: string): Promise<AccountHolder>;
  allowOf(device: string): Promise<AllowedEntry[]>;
  /** Of the device, where something was made possible within a day, without a yes (P9.1). */
  cautionAt(account: string, device: string): Promise<DeviceCaution>;
  pinShown(account: string): Promise<boolean>;
  browsingOf: BrowsingProtectionLookup;
  unlistedOf(account: string, device: string): Promise<PolicyContext['unlisted']>;
  /** What an incident and an emergency put into a device's policy. */
  emergencyOf(account: string, device: string): Promise<Pick<PolicyContext, 'incident' | 'emergency_stop' | 'isolation' | 'code_secret'>>;
  codeSecretOf(device: string): Promise<CodeSecret | null>;
  pinOf(account: string, device: string): Promise<PinHash>;
  isPin(account: string, typed: string): Promise<boolean>;
  hasValidPlan(account: string): Promise<boolean>;
  /** Whether an incident that opened with a plan keeps its policy (P10.1). */
  keepsPlan(account: string): Promise<boolean>;
  /** Stores when the account's first device connected; later ones change nothing (P10.2). */
  noteConnected(trx: Trx, account: string): Promise<unknown>;
  health: {
    goodbye(device: string, report: Goodbye): Promise<void>;
    /** Stores each event once; returns the ids of stored events. */
    events(device: string, events: AgentEvent[]): Promise<string[]>;
    heard(device: string, report: { protecting: boolean; says_sleep: boolean; away?: number | undefined }): Promise<unknown>;
  };
  storeScan(device: string, scan: AgentScan): Promise<void>;
  storeDetections(device: string, detections: ReportedDetection[]): Promise<void>;
  recipientsOf(device: string, detections: string[]): Promise<DetectionDeliveries[]>;
}

export function agentRoutes(app: FastifyInstance, deps: AgentDeps): void {
  const { db, clock, gates, limit, longPolls, keys, codes, devices, definitions } = deps;

  /**
   * Devices learn of newer definitions in turn, so that they do not fetch all at once. Agents that do not wait have been woken in turn, perhaps
   * by another server.
   */
  const policyNow = async (uuid: string, agentVersions: { known_definitions: number; known_epoch?: number | undefined; wait: number }) => {
    const device = await devices.forPolicy(uuid);
    if (!device) fail('device_removed');
    const newest = await definitions.newest();
    const { known_definitions, wait } = agentVersions;
    const mayHaveNewest = known_definitions === 0 || wait === 0 || isNewEpoch(newest, agentVersions) || longPolls.isItsTurn(uuid);
    return { device, newest: mayHaveNewest ? newest : { ...newest, version: agentVersions.known_definitions } };
  };
  /** Whether the device was used for an hour and so gets the PIN hash. */
  const isInLongUse = async (device: string): Promise<boolean> => (await deps.noteUse(device)) !== 'not yet';

  const newerFeed = async (query: { known: number; known_keys: number; known_epoch: number }) => {
    const { version, keys: list } = await definitions.newest();
    return version > query.known || list.epoch > query.known_epoch ? definitions.feed(knownIn(query)) : null;
  };

  /** Returns what `find` found; fails with the reason if it found nothing. Attempts with unknown codes are limited. */
  const lookUp = async <T extends object>(ip: string, code: string, find: () => Promise<T | null>) => {
    const result = await deps.guard.lookUp(ip, async () => {
      const foundDevice = await find();
      if (foundDevice !== null) return { found: foundDevice };
      const deadCode = await codes.find(code);
      return deadCode ? { dead: deadCode } : null;
    });
    if (!result) return fail('code_unknown');
    return result.found ?? fail(result.dead?.used ? 'code_used' : 'code_expired');
  };
  const accountOf = async (device: string): Promise<string> => {
    await devices.seen(device);
    return ((await devices.forPolicy(device)) ?? fail('device_removed')).account;
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
      ...(query.nonce && { time: signDocument({ time: clock.now().toISOString(), nonce: query.nonce }, await keys.policy()) }),
    }),

    'GET /agent/keys': async ({ query }) => ({ keys: await definitions.keysAfter(knownIn(query)) }),

    'POST /agent/enrol': async ({ body, ip }) => {
      await limit('code', ip, { max: 10, per: 60_000 });
      const code = readDeviceCode(body.code) ?? fail('code_unknown');
      const enrol = async (trx: Trx) => {
        const { enrol_id } = body;
        const uuid = (await codes.useUp(trx, code)) ?? (await codes.redeemedByLostEnrolment(trx, code, enrol_id));
        if (!uuid) return null;
        const { name, account } = await trx
          .selectFrom('devices')
          .select(['name', 'account'])
          .where('uuid', '=', uuid)
          .executeTakeFirstOrThrow();
        // Locks the account before the device, as when devices are added, to avoid deadlocks.
        await deps.noteConnected(trx, account);
        const agent_token = await codes.newDeviceToken(trx, uuid);
        await devices.markInstalled(trx, uuid, body.info, enrol_id);
        return { agent_token, device: { uuid, name }, account };
      };
      const { account, ...answer } = await lookUp(ip, code, () => db.transaction().execute(enrol));
      return { ...answer, holder: await deps.holderOf(account) };
    },

    'POST /agent/whose': async ({ body, ip }) => {
      await limit('code', ip, { max: 10, per: 60_000 });
      const code = readDeviceCode(body.code) ?? fail('code_unknown');
      const codeOwner = async () => (await codes.whose(code, body.enrol_id ?? null)) ?? null;
      const { account, device_name } = await lookUp(ip, code, codeOwner);
      return { holder: await deps.holderOf(account), device_name };
    },

    'POST /agent/check-in': async ({ device, body }) => {
      const { info, protecting, strict_for, leaves_in } = body;
      await devices.seen(device, { info, protecting, strict_until: fromNow(strict_for), leaves: fromNow(leaves_in) });
      await deps.health.heard(device, body);
      return { notified: await deps.recipientsOf(device, body.asks) };
    },

    'POST /agent/goodbye': async ({ device, body }) => {
      await devices.seen(device);
      await deps.health.goodbye(device, body);
      return {};
    },

    'POST /agent/events': async ({ device, body }) => {
      await devices.seen(device);
      return { stored: await deps.health.events(device, body.events) };
    },

    'GET /agent/policy': async ({ device, query, request }) => {
      await devices.seen(device);
      const inLongUse = await isInLongUse(device);
      const waiting = longPolls.wait(device, query.wait, query.known);
      request.raw.socket.once('close', waiting.stop);
      try {
        let current = await policyNow(device, query);
        const isOutdated = current.device.policy_version > query.known || current.newest.version > query.known_definitions;
        if (!isOutdated && !isNewEpoch(current.newest, query)) {
          await deps.waitUnadmitted(request.raw, waiting.changed);
          current = await policyNow(device, query);
        }
        const { account } = current.device;
        const [guardians, allow, browsing] = [
          await deps.guardianNamesOf(account),
          await deps.allowOf(device),
          await deps.browsingOf(account),
        ];
        const hasPlan = (await deps.hasValidPlan(account)) || (await deps.keepsPlan(account));
        const holder = await deps.holderOf(account);
        // When another person uses the computer, the policy also lists the holder as someone to call.
        const { person } = current.device;
        const relatives = person && !person.is_holder ? [holder.first_name, ...guardians] : guardians;
        const pin = inLongUse ? await deps.pinOf(account, device) : null;
        const { version, keys: list } = current.newest;
        const emergency = await deps.emergencyOf(account, device);
        const caution = await deps.cautionAt(account, device);
        const pin_shown = await deps.pinShown(account);
        const context = {
          epoch: list.epoch,
          relatives,
          // The holder of somebody else's computer answers as a guardian does.
          has_guardian: guardians.length > 0 || (person !== null && !person.is_holder),
          holder,
          allow,
          caution,
          pin_shown,
          browsing,
          unlisted: await deps.unlistedOf(account, device),
          paid: hasPlan,
          pin,
          issued: clock.now(),
          ...emergency,
        };
        const policy = devicePolicy(current.device, context);
        return { policy: signDocument(policy, await keys.policy()), definitions_version: version, keys: list };
      } finally {
        request.raw.socket.off('close', waiting.stop);
        waiting.stop();
      }
    },

    'GET /agent/definitions': ({ query }) => definitions.feed(knownIn(query)),

    'GET /agent/code-secret': async ({ device }) => (await deps.codeSecretOf(device)) ?? fail('device_removed'),

    'POST /agent/pin': async ({ body, ...caller }) => {
      const account = caller.removed_from ?? (await accountOf(caller.device));
      const { pin_tries, pin_tries_per, pin_tries_day } = serverLimits;
      // PIN attempts are counted before the check and per account, so that additional devices give no additional attempts.
      await limit('device-pin', account, { max: pin_tries, per: pin_tries_per });
      await limit('device-pin-day', account, { max: pin_tries_day, per: 86_400_000 });
      return { right: await deps.isPin(account, body.pin) };
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
/** An agent that does not report its epoch cannot use a newer one. */
const isNewEpoch = (newest: { keys: { epoch: number } }, { known_epoch }: { known_epoch?: number | undefined }): boolean =>
  known_epoch !== undefined && newest.keys.epoch > known_epoch;
