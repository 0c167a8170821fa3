import type { FastifyInstance } from 'fastify';
import type { Listener } from './db/listen.ts';
import type { TrafficControl } from './db/traffic.ts';
import { sealedPin } from './features/accounts/admin-pin.ts';
import type { AccountStore } from './features/accounts/store.ts';
import { waiters as newWaiters } from './features/agents/long-polls.ts';
import { whoWasTold } from './features/agents/notified.ts';
import { pinHashes } from './features/agents/pins.ts';
import { type HearingParts, hearNews } from './features/agents/poll-events.ts';
import { type AgentParts, agentRoutes } from './features/agents/routes.ts';
import type { ExceptionStore } from './features/allow-list/store.ts';
import { detectionIntake, type IntakeParts } from './features/detections/intake.ts';
import type { DeviceStore } from './features/devices/store.ts';
import type { GuardianStore } from './features/guardians/store.ts';
import { scanIntake } from './features/scans/intake.ts';
import type { Admission } from './lib/admission.ts';
import { firstName } from './lib/formatting.ts';
import { maskedAddress } from './lib/mask-address.ts';
import type { Sealer } from './lib/seal.ts';
import type { Alerting } from './notifications/notifications.ts';

export interface AgentWires
  extends Omit<
      AgentParts,
      'waiters' | 'held' | 'familyOf' | 'holderOf' | 'allowOf' | 'pinOf' | 'isPin' | 'storeScan' | 'storeDetections' | 'toldOf'
    >,
    Pick<IntakeParts, 'helpOf' | 'alertUrl'> {
  dashboard_url: string;
  traffic: Pick<TrafficControl, 'waitAgain'>;
  admission: Pick<Admission, 'leave' | 'rejoin'>;
  listener: Listener;
  log: HearingParts['log'];
  devices: DeviceStore;
  sealer: Sealer;
  accounts: AccountStore;
  guardians: GuardianStore;
  exceptions: ExceptionStore;
  detections: IntakeParts['store'];
  alerts: Pick<Alerting, 'tell' | 'deliveries'>;
}

/** A part of the wiring list: what an installed agent hears and says. */
export function wireAgents(http: FastifyInstance, wires: AgentWires): { close(): void } {
  const { db, sealer, accounts, devices, guardians, exceptions, detections, alerts } = wires;
  const pins = pinHashes({ db, sealer, sealedPinOf: sealedPin(accounts, sealer) });
  const waiters = newWaiters(() => performance.now());
  hearNews({ ...wires, waiters, changedOf: devices.changedOf, newestVersion: async () => (await wires.definitions.newest()).version });
  agentRoutes(http, {
    ...wires,
    waiters,
    async held(call, news) {
      wires.admission.leave(call);
      await news;
      // Many may be woken at once: each gets in line again.
      wires.admission.rejoin(call);
      wires.traffic.waitAgain();
    },
    familyOf: async (account) => (await guardians.active(account)).map((g) => firstName(g.name)),
    async holderOf(account) {
      const { name, email } = await accounts.byUuid(account);
      return { first_name: firstName(name), masked_email: maskedAddress(email) };
    },
    allowOf: exceptions.allowOf,
    pinOf: pins.of,
    isPin: pins.isRight,
    storeScan: scanIntake({ ...wires, lockDevice: devices.lockForReport, tell: alerts.tell }),
    storeDetections: detectionIntake({ ...wires, store: detections, tell: alerts.tell }),
    toldOf: whoWasTold({
      ...wires,
      alertsOf: detections.alertsOf,
      deliveriesOf: alerts.deliveries.of,
      async holderElsewhere(device) {
        const account = await devices.accountOfOthers(device);
        return account === undefined ? null : firstName((await accounts.byUuid(account)).name);
      },
    }),
  });
  return { close: waiters.close };
}
