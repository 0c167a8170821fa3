import { type AgentInfo, agentEndpoints, type DevicePolicy, type ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Goodbye } from '@porchlight/contract/care.ts';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import type { News } from '@porchlight/contract/news.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import type { PinHash, SignedFeed } from '@porchlight/contract/shapes.ts';
import { type KeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import type { FastifyInstance } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import { bind } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import { type DeviceForPolicy, devicePolicy } from './policy.ts';
import type { Waiters } from './waiters.ts';

export interface AgentParts {
  db: Db;
  clock: Clock;
  gates: Gates;
  limit: Limit;
  waiters: Waiters;
  public_url: string;
  keys: { link: KeyPair; policy: KeyPair };
  codes: {
    look(code: string): Promise<{ used: Date | null; expires: Date } | undefined>;
    useUp(trx: Trx, code: string): Promise<string | null>;
    /** The device for which the same attempt has used it up already, while nobody was heard with the answer. */
    usedUpUnheard(trx: Trx, code: string, enrol_id: string): Promise<string | null>;
    newDeviceToken(trx: Trx, device: string): Promise<string>;
  };
  devices: {
    markInstalled(trx: Trx, uuid: string, info: AgentInfo, enrol_id: string | null): Promise<unknown>;
    seen(uuid: string, seen?: { info?: AgentInfo; protecting?: boolean }): Promise<unknown>;
    forPolicy(uuid: string): Promise<(DeviceForPolicy & { account: string }) | undefined>;
  };
  definitions: { feed(known_keys: number): Promise<SignedFeed>; newestVersion(): Promise<number>; rootKey(): Promise<string> };
  familyOf(account: string): Promise<string[]>;
  /** What is allowed on a device, as it stands in its policy. */
  allowOf(device: string): Promise<DevicePolicy['allow']>;
  /** What a device checks the Admin PIN against. */
  pinOf(account: string, device: string): Promise<PinHash>;
  /** Without one a device has the free plan's protection, until there is one again (P6.3). */
  hasValidPlan(account: string): Promise<boolean>;
  silences: {
    /** What an agent says before it goes, stops protecting, or protects again. */
    goodbye(device: string, said: Goodbye): Promise<void>;
    /** What was done at the computer, each once; answers the ids that are stored. */
    news(device: string, news: News[]): Promise<string[]>;
    /** It checked in: it is not silent any more. */
    heard(device: string): Promise<unknown>;
  };
  storeScan(device: string, scan: AgentScan): Promise<void>;
  storeDetections(device: string, detections: ReportedDetection[]): Promise<void>;
}

export function agentRoutes(app: FastifyInstance, parts: AgentParts): void {
  const { db, clock, gates, limit, waiters, keys, codes, devices, definitions } = parts;

  const policyNow = async (uuid: string) => {
    const device = await devices.forPolicy(uuid);
    if (!device) fail('device_removed');
    return { device, definitions_version: await definitions.newestVersion() };
  };

  bind(app, gates, agentEndpoints, {
    'GET /agent/server': async () => ({
      public_url: parts.public_url,
      keys: { link: keys.link.public_key, policy: keys.policy.public_key, definitions: await definitions.rootKey() },
    }),

    'GET /agent/free-plan': async ({ query }) => ({
      definitions: (await definitions.newestVersion()) > query.known ? await definitions.feed(query.known_keys) : null,
    }),

    'POST /agent/enrol': async ({ body, ip }) => {
      await limit('code', ip, { max: 10, per: 60_000 });
      const code = readDeviceCode(body.code) ?? fail('code_unknown');
      const enrolled = await db.transaction().execute(async (trx) => {
        const { enrol_id = null } = body;
        const uuid = (await codes.useUp(trx, code)) ?? (enrol_id && (await codes.usedUpUnheard(trx, code, enrol_id)));
        if (!uuid) return null;
        const agent_token = await codes.newDeviceToken(trx, uuid);
        await devices.markInstalled(trx, uuid, body.info, enrol_id);
        const { name } = await trx.selectFrom('devices').select('name').where('uuid', '=', uuid).executeTakeFirstOrThrow();
        return { agent_token, device: { uuid, name } };
      });
      if (enrolled) return enrolled;
      const known = await codes.look(code);
      return fail(!known ? 'code_unknown' : known.used ? 'code_used' : 'code_expired');
    },

    'POST /agent/check-in': async ({ device, body }) => {
      await devices.seen(device, { info: body.info, protecting: body.protecting });
      await parts.silences.heard(device);
      return {};
    },

    'POST /agent/goodbye': async ({ device, body }) => {
      await devices.seen(device);
      await parts.silences.goodbye(device, body);
      return {};
    },

    'POST /agent/news': async ({ device, body }) => {
      await devices.seen(device);
      return { stored: await parts.silences.news(device, body.news) };
    },

    'GET /agent/policy': async ({ device, query, request }) => {
      await devices.seen(device);
      // Wait first, then look: what changes between the two is heard.
      const waiting = waiters.wait(device, query.wait);
      request.raw.socket.once('close', waiting.stop);
      try {
        let now = await policyNow(device);
        if (now.device.policy_version <= query.known && now.definitions_version <= query.known_definitions) {
          await waiting.news;
          now = await policyNow(device);
        }
        const { account } = now.device;
        const [family, allow] = [await parts.familyOf(account), await parts.allowOf(device)];
        const paid = await parts.hasValidPlan(account);
        const policy = devicePolicy(now.device, { family, allow, paid, pin: await parts.pinOf(account, device), issued: clock.now() });
        return { policy: signDocument(policy, keys.policy), definitions_version: now.definitions_version };
      } finally {
        request.raw.socket.off('close', waiting.stop);
        waiting.stop();
      }
    },

    'GET /agent/definitions': ({ query }) => definitions.feed(query.known_keys),

    'POST /agent/scan': async ({ device, body }) => {
      await parts.storeScan(device, body);
      return {};
    },

    'POST /agent/detections': async ({ device, body }) => {
      await parts.storeDetections(device, body.detections);
      return { stored: body.detections.map((d) => d.uuid) };
    },
  });
}
