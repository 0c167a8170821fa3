import type { FastifyInstance } from 'fastify';
import type { Kernel } from '../../kernel.ts';
import type { DeviceOwnership } from '../../ports.ts';
import { codeStore } from './code-store.ts';
import { deviceRows } from './device-rows.ts';
import { type DeviceDeps, deviceRoutes } from './routes.ts';
import { deviceStore } from './store.ts';

interface LateDeviceAsks extends Omit<DeviceDeps, keyof Kernel | 'store' | 'codes' | 'server' | 'dashboard_url' | 'noteAdded'> {
  activeGuardians(account: string, trx: Parameters<DeviceDeps['noteAdded']>[0]): Promise<unknown[]>;
}

/** The computers of an account, and the codes that connect them. */
export function deviceFeature(kernel: Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'limit' | 'events' | 'settings'>) {
  const { db, clock, events, settings } = kernel;
  const [store, codes] = [deviceStore(db, clock), codeStore(db, clock)];
  events.on('policy_changed', store.policyChanged);
  const ownsDevice: DeviceOwnership = async (account, uuid) => (await store.get(account, uuid)) !== null;
  return {
    ports: {
      devices: store,
      codes,
      ownsDevice,
      rows: deviceRows,
      /** Locks the device, and raises the version of its policy, which wakes its agent. */
      policyChanges: store.bumpPolicy,
    },
    routes: (http: FastifyInstance, { activeGuardians, ...late }: LateDeviceAsks & Pick<Kernel, 'gates' | 'weaken' | 'weakening'>) =>
      deviceRoutes(http, {
        ...{ ...kernel, ...late, store, codes },
        dashboard_url: settings.dashboard_url,
        server: settings.public_url,
        async noteAdded(trx, account, device, person) {
          if (!(await activeGuardians(account, trx)).length) return;
          await late.weaken(trx, account, { kind: 'device_added', device, what: person && !person.is_holder ? person.name : '' });
        },
      }),
  };
}
