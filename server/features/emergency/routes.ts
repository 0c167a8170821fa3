import { emergencyEndpoints } from '@porchlight/contract/emergency-stops.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import { isNearAgent } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import { firstName } from '../../texts/formatting.ts';
import type { HelpPresses } from './help.ts';
import type { guardianStops, StopReader } from './stops.ts';
import { type EmergencyStore, toShownIsolation, toStop } from './store.ts';

const helpLimit = { max: 30, per: 3_600_000 };

/** A guardian who calls. `ip`: from `callerOf`. */
export interface GuardianCaller extends StopReader {
  kind: 'guardian';
  accepted: Date;
  ip: string;
  browser_near: boolean;
}

export interface EmergencyRouteDeps extends Pick<Kernel, 'db' | 'clock' | 'gates' | 'limit' | 'nameOf'> {
  store: EmergencyStore;
  stops: ReturnType<typeof guardianStops<GuardianCaller>>;
  help: Pick<HelpPresses, 'press'>;
  lockDevice(trx: Trx, uuid: string): Promise<unknown>;
  /** An active guardian; throws `guardian_inactive` and `guardian_link_dead`. */
  activeGuardian(uuid: string): Promise<{ account: string; name: string; accepted: Date; may_isolate: boolean | null }>;
}

/** *Stop this*, *Cut the internet there* and *I need help now* (P9.5, P10.6). */
export function emergencyRoutes(app: FastifyInstance, deps: EmergencyRouteDeps): void {
  const { db, clock, store, stops } = deps;

  const guardian = async ({ guardian: person, ip, request }: { guardian: string; ip: string; request: FastifyRequest }) => {
    const { account, name, accepted, may_isolate } = await deps.activeGuardian(person);
    const caller = { ip, browser_near: isNearAgent(request) };
    return { kind: 'guardian', account, person, name: firstName(name), accepted, may_isolate, ...caller } satisfies GuardianCaller;
  };

  bind(app, deps.gates, emergencyEndpoints, {
    'GET /guardian/:id/emergency': async (call) => stops.view(await guardian(call)),
    'POST /guardian/:id/stop': async (call) => stops.press(await guardian(call), call.body),

    'GET /web/emergency': async ({ account }) => {
      const devices = new Map((await store.devicesOf(account)).map(({ uuid, name }) => [uuid, { uuid, name }]));
      const now = clock.now();
      const inForce = (await store.isolationsOf(account)).filter(({ ended, until }) => ended === null && until > now);
      return {
        stops: (await store.stopsOf(account)).map((row) => ({
          ...toStop(row),
          device: (row.device && devices.get(row.device)) || null,
        })),
        isolations: inForce.flatMap((row) => {
          const device = devices.get(row.device);
          return device ? [{ ...toShownIsolation(row), device }] : [];
        }),
      };
    },

    'POST /web/help': async ({ account, body }) => {
      await deps.limit('help', account, helpLimit);
      const name = firstName(await deps.nameOf(account));
      const incident = await db.transaction().execute(async (trx) => {
        await deps.lockDevice(trx, body.device);
        const device = (await store.devicesOf(account, trx)).find(({ uuid }) => uuid === body.device) ?? fail('not_found');
        return deps.help.press(trx, { account, uuid: device.uuid, name: device.name }, { person: account, name }, clock.now());
      });
      return { incident: incident ?? fail('not_found') };
    },
  });
}
