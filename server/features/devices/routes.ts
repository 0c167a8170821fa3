import { randomUUID } from 'node:crypto';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { deviceEndpoints } from '@porchlight/contract/devices.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import type { KeyPair } from '@porchlight/definitions/signature.ts';
import type { FastifyInstance } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import { bind } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CodeGuard } from '../../lib/code-guard.ts';
import { fail } from '../../lib/errors.ts';
import { firstName } from '../../lib/formatting.ts';
import type { Gates } from '../../lib/gates.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { WeakeningGate } from '../../ports.ts';
import type { CodeStore, DeviceCode } from './code-store.ts';
import { draftDevice, signedLink } from './codes.ts';
import { newCodeEmail } from './emails.ts';
import { isSamePerson, personAct, personFrom } from './person.ts';
import type { DeviceStore } from './store.ts';

export interface DeviceDeps {
  db: Db;
  clock: Clock;
  gates: Gates;
  store: DeviceStore;
  codes: CodeStore;
  limit: Limit;
  /** Bounds the guessing of codes. */
  guard: Pick<CodeGuard, 'lookUp'>;
  enqueue: Enqueue;
  /** Where the dashboard is, without a slash at the end. */
  dashboard_url: string;
  /** PUBLIC_URL: stands in every link, and an agent takes a link only for its own server. */
  server: string;
  /** What signs links now. */
  link_key: (on?: Trx) => Promise<KeyPair>;
  /** Whether it is a profile of their own; it stays as it is until the transaction ends. */
  hasPolicy: (trx: Trx, account: string, policy: string) => Promise<boolean>;
  /** Whether the second profile stops less than the first, and what it is called. */
  stopsLess(trx: Trx, account: string, before: PolicyId, now: PolicyId): Promise<{ name: string } | null>;
  /** The gate of everything that weakens protection: may it be done, and who is told of it. */
  weaken: WeakeningGate;
  deviceLimitOf: (account: string, trx: Trx) => Promise<number>;
  /** A code may also be one to register with: its id, or why it no longer works; null when it is none. */
  signupCodeOf: (code: string) => Promise<{ signup_code_id: string } | 'used' | 'expired' | null>;
}

export function deviceRoutes(app: FastifyInstance, deps: DeviceDeps): void {
  const { db, clock, gates, store, codes, limit, server, link_key } = deps;

  const onWire = async (trx: Trx, uuid: string, code: DeviceCode) => ({
    ...{ uuid, login_code: code.code },
    ...signedLink(code, server, await link_key(trx)),
  });
  const newCode = async (trx: Trx, uuid: string) => onWire(trx, uuid, await codes.renew(trx, uuid));

  const mustHave = async (trx: Trx, account: string, policy: PolicyId) => {
    if (policy !== 'strict' && policy !== 'permissive' && !(await deps.hasPolicy(trx, account, policy))) fail('not_found');
  };

  const lookUp = async (text: string, ip: string) => {
    await limit('code', ip, { max: 10, per: 60_000 });
    const typed = readDeviceCode(text);
    const found = await deps.guard.lookUp(ip, async () => {
      const device = typed ? await codes.look(typed) : undefined;
      if (device) return { device };
      const signup = await deps.signupCodeOf(text);
      return signup === null ? null : { signup };
    });
    return found ?? fail('code_unknown');
  };

  const signupCode = (found: { signup_code_id: string } | 'used' | 'expired') => {
    if (found === 'used') fail('code_used');
    if (found === 'expired') fail('code_expired');
    return found;
  };

  bind(app, gates, deviceEndpoints, {
    'GET /web/devices': async ({ account }) => ({ devices: await store.list(account) }),

    'GET /web/devices/:id': async ({ account, params }) => (await store.get(account, params.id)) ?? fail('not_found'),

    'POST /web/devices/:uuid': async ({ account, params, body }) => {
      await db.transaction().execute(async (trx) => {
        await mustHave(trx, account, body.policy);
        const before = (await store.get(account, params.uuid, trx)) ?? fail('not_found');
        const less = before.last_seen && (await deps.stopsLess(trx, account, before.policy, body.policy));
        if (less) {
          const profiles = { policy: before.policy, chosen: body.policy };
          await deps.weaken(trx, account, { kind: 'profile_chosen', device: before, what: less.name, before: profiles });
        }
        const person = personFrom(body.person);
        const other = person !== undefined && before.last_seen ? personAct(before, person) : null;
        if (other) await deps.weaken(trx, account, other);
        const changed = person !== undefined && !isSamePerson(before.person, person) ? { person } : {};
        if (!(await store.update(trx, account, params.uuid, { name: body.name, policy: body.policy, ...changed }))) fail('not_found');
      });
      return (await store.get(account, params.uuid)) ?? fail('not_found');
    },

    'DELETE /web/devices/:uuid': ({ account, params }) =>
      db.transaction().execute(async (trx) => {
        const device = (await store.get(account, params.uuid, trx)) ?? fail('not_found');
        // One that was never installed protected nobody.
        if (device.last_seen) await deps.weaken(trx, account, { kind: 'device_removed', device });
        if (!(await store.remove(trx, account, params.uuid))) fail('not_found');
        return {};
      }),

    'POST /web/create-device': async ({ account, body }) => {
      const policy = body.policy ?? 'strict';
      const said = { name: body.name, policy, person: personFrom(body.person) };
      return db.transaction().execute(async (trx) => {
        const [count, most] = [await store.countLocked(trx, account), await deps.deviceLimitOf(account, trx)];
        await mustHave(trx, account, policy);
        const uuid = body.draft ? draftDevice(account, body.draft) : randomUUID();
        // Whoever heard no answer asks again: that needs no second place of the plan.
        const known = await store.get(account, uuid, trx);
        if (known?.last_seen) fail('device_installed');
        if (known) {
          await store.update(trx, account, uuid, said);
          return onWire(trx, uuid, (await codes.unused(trx, uuid)) ?? (await codes.renew(trx, uuid)));
        }
        if (count >= most) fail('device_limit');
        await store.create(trx, account, { uuid, ...said });
        return newCode(trx, uuid);
      });
    },

    'POST /web/devices/:uuid/resume': async ({ account, params }) => {
      // Each one wakes the agent for a new policy.
      await limit('device-resume', account, { max: 30, per: 3_600_000 });
      return db.transaction().execute(async (trx) => {
        if (!(await store.resume(trx, account, params.uuid))) fail('not_found');
        return {};
      });
    },

    'POST /web/devices/:uuid/code': async ({ account, params }) =>
      db.transaction().execute(async (trx) => {
        const device = await store.get(account, params.uuid, trx);
        if (!device) fail('not_found');
        if (device.last_seen) fail('device_installed');
        return newCode(trx, params.uuid);
      }),

    'POST /code': async ({ body, ip }) => {
      const found = await lookUp(body.code, ip);
      const code = found.device;
      if (!code) return signupCode(found.signup);
      if (code.used) fail('code_used');
      if (code.expires <= clock.now()) fail('code_expired', { from_name: firstName(code.holder_name) });
      return {
        ...signedLink(code, server, await link_key()),
        device_name: code.device_name,
        from_name: firstName(code.holder_name),
        expires: code.expires.toISOString(),
      };
    },

    'POST /code/ask': async ({ body, ip }) => {
      const { device: code } = await lookUp(body.code, ip);
      if (!code) fail('code_unknown');
      if (code.used) fail('code_used');
      const now = clock.now();
      if (code.expires > now) return {};
      const letter = newCodeEmail(code.device_name, deps.dashboard_url, code.device);
      await deps.enqueue(db, 'mail', `code-ask:${code.code}:${now.toISOString().slice(0, 10)}`, { to: code.holder_email, ...letter });
      return {};
    },
  });
}
