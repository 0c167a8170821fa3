import { randomUUID } from 'node:crypto';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { deviceEndpoints, type Person } from '@porchlight/contract/devices.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import type { KeyPair } from '@porchlight/definitions/signature.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import type { CodeGuard } from '../../http/code-guard.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { NoteRename } from '../../ports.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { firstName } from '../../texts/formatting.ts';
import type { CodeStore, DeviceCode } from './code-store.ts';
import { draftDevice, signedLink } from './codes.ts';
import { isSamePerson, personAct, personFrom } from './person.ts';
import type { DeviceStore } from './store.ts';

export interface DeviceDeps extends Pick<Kernel, 'db' | 'clock' | 'gates' | 'limit' | 'enqueue' | 'weakening'> {
  store: DeviceStore;
  codes: CodeStore;
  guard: Pick<CodeGuard, 'lookUp'>;
  dashboard_url: string;
  /** The server's PUBLIC_URL: agents accept links only of their own server. */
  server: string;
  link_key: (on?: Trx) => Promise<KeyPair>;
  /** Whether the profile exists; locks it until the transaction ends. */
  lockProfile: (trx: Trx, account: string, policy: string) => Promise<boolean>;
  /** The new profile's name if it blocks less than the previous profile, else null. */
  stopsLess(trx: Trx, account: string, previousPolicy: PolicyId, newPolicy: PolicyId): Promise<{ name: string } | null>;
  /** Notifies active guardians of a new device (P18.2). */
  noteAdded(trx: Trx, account: string, device: { uuid: string; name: string }, person: Person | null): Promise<unknown>;
  noteRename: NoteRename;
  deviceLimitOf: (account: string, trx: Trx) => Promise<number>;
  signupCodeOf: (code: string) => Promise<{ signup_code_id: string } | 'used' | 'expired' | null>;
}

export function deviceRoutes(app: FastifyInstance, deps: DeviceDeps): void {
  const { db, clock, gates, store, codes, limit, server, link_key } = deps;

  const toCreatedDevice = async (trx: Trx, uuid: string, code: DeviceCode) => ({
    ...{ uuid, login_code: code.code },
    ...signedLink(code, server, await link_key(trx)),
  });
  const newCode = async (trx: Trx, uuid: string) => toCreatedDevice(trx, uuid, await codes.renew(trx, uuid));

  const requireProfile = async (trx: Trx, account: string, policy: PolicyId) => {
    if (policy !== 'strict' && policy !== 'permissive' && !(await deps.lockProfile(trx, account, policy))) fail('not_found');
  };

  const lookUp = async (text: string, ip: string) => {
    await limit('code', ip, { max: 10, per: 60_000 });
    const typed = readDeviceCode(text);
    const foundDevice = await deps.guard.lookUp(ip, async () => {
      const device = typed ? await codes.find(typed) : undefined;
      if (device) return { device };
      const signup = await deps.signupCodeOf(text);
      return signup === null ? null : { signup };
    });
    return foundDevice ?? fail('code_unknown');
  };

  const signupCode = (signupResult: { signup_code_id: string } | 'used' | 'expired') => {
    if (signupResult === 'used') fail('code_used');
    if (signupResult === 'expired') fail('code_expired');
    return signupResult;
  };

  bind(app, gates, deviceEndpoints, {
    'GET /web/devices': async ({ account }) => ({ devices: await store.list(account) }),

    'GET /web/devices/:id': async ({ account, params }) => (await store.get(account, params.id)) ?? fail('not_found'),

    'POST /web/devices/:uuid': async (call) => {
      const { account, params, body } = call;
      await deps.weakening(weakeningCall(call), async (trx, weaken) => {
        await requireProfile(trx, account, body.policy);
        const previousDevice = (await store.get(account, params.uuid, trx)) ?? fail('not_found');
        const weaker = previousDevice.last_seen && (await deps.stopsLess(trx, account, previousDevice.policy, body.policy));
        if (weaker) {
          const profiles = { policy: previousDevice.policy, chosen: body.policy };
          await weaken({ kind: 'profile_chosen', device: previousDevice, what: weaker.name, before: profiles });
        }
        const person = personFrom(body.person);
        const personActivity = person !== undefined && previousDevice.last_seen ? personAct(previousDevice, person) : null;
        if (personActivity) await weaken(personActivity);
        const changedPerson = person !== undefined && !isSamePerson(previousDevice.person, person) ? { person } : {};
        await deps.noteRename(trx, 'device', params.uuid, body.name);
        if (!(await store.update(trx, account, params.uuid, { name: body.name, policy: body.policy, ...changedPerson }))) fail('not_found');
      });
      return (await store.get(account, params.uuid)) ?? fail('not_found');
    },

    'DELETE /web/devices/:uuid': (call) =>
      deps.weakening(weakeningCall(call), async (trx, weaken) => {
        const { account, params } = call;
        const device = (await store.get(account, params.uuid, trx)) ?? fail('not_found');
        // Removing a device that was never installed weakens no protection.
        if (device.last_seen) await weaken({ kind: 'device_removed', device });
        if (!(await store.remove(trx, account, params.uuid))) fail('not_found');
        return {};
      }),

    'POST /web/create-device': async ({ account, body }) => {
      const policy = body.policy ?? 'strict';
      const givenFields = { name: body.name, policy, person: personFrom(body.person) };
      return db.transaction().execute(async (trx) => {
        const [count, maxDevices] = [await store.countLocked(trx, account), await deps.deviceLimitOf(account, trx)];
        await requireProfile(trx, account, policy);
        const uuid = body.draft ? draftDevice(account, body.draft) : randomUUID();
        // A draft repeated after a lost response needs no additional device in the plan.
        const existingDevice = await store.get(account, uuid, trx);
        if (existingDevice?.last_seen) fail('device_installed');
        if (existingDevice) {
          const { person, ...others } = givenFields;
          // The same user again ends no consent of theirs (P11.1).
          const changedPerson = person !== undefined && !isSamePerson(existingDevice.person, person) ? { person } : {};
          await store.update(trx, account, uuid, { ...others, ...changedPerson });
          return toCreatedDevice(trx, uuid, (await codes.unused(trx, uuid)) ?? (await codes.renew(trx, uuid)));
        }
        if (count >= maxDevices) fail('device_limit');
        await store.create(trx, account, { uuid, ...givenFields });
        await deps.noteAdded(trx, account, { uuid, name: body.name }, givenFields.person ?? null);
        return newCode(trx, uuid);
      });
    },

    'POST /web/devices/:uuid/resume': async ({ account, params }) => {
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
      const foundCode = await lookUp(body.code, ip);
      const code = foundCode.device;
      if (!code) return signupCode(foundCode.signup);
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
      const message = newCodeEmail(code.device_name, deps.dashboard_url, code.device);
      await deps.enqueue(db, 'mail', `code-ask:${code.code}:${now.toISOString().slice(0, 10)}`, { to: code.holder_email, ...message });
      return {};
    },
  });
}

function newCodeEmail(device: string, dashboard_url: string, uuid: string): WrittenEmail {
  return writeEmail({
    subject: `${device} needs a new code`,
    heading: `${device} needs a new code`,
    paragraphs: [
      'Someone opened the link you sent to protect this computer. The code in it works for 7 days, and that time is over.',
      'Press the button and make a new code. Then send the new link.',
      'Didn’t send anyone a link? You can ignore this email.',
    ],
    button: { label: 'Make a new code', url: `${dashboard_url}/devices/${uuid}` },
  });
}
