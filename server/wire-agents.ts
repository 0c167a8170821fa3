import type { FastifyInstance } from 'fastify';
import { sealedPin } from './features/accounts/admin-pin.ts';
import type { AccountStore } from './features/accounts/store.ts';
import { pinHashes } from './features/agents/pins.ts';
import { type AgentParts, agentRoutes } from './features/agents/routes.ts';
import type { Alerting } from './features/alerts/alerting.ts';
import { detectionIntake, type IntakeParts } from './features/detections/intake.ts';
import type { ExceptionStore } from './features/exceptions/store.ts';
import type { GuardianStore } from './features/guardians/store.ts';
import { scanIntake } from './features/scans/intake.ts';
import type { Sealer } from './lib/seal.ts';
import { firstName } from './lib/words.ts';

export interface AgentWires
  extends Omit<AgentParts, 'familyOf' | 'allowOf' | 'pinOf' | 'storeScan' | 'storeDetections'>,
    Pick<IntakeParts, 'helpOf' | 'dashboard_url'> {
  devices: AgentParts['devices'] & IntakeParts['devices'];
  sealer: Sealer;
  accounts: AccountStore;
  guardians: GuardianStore;
  exceptions: ExceptionStore;
  detections: IntakeParts['store'];
  alerts: Pick<Alerting, 'tell'>;
}

/** A part of the wiring list: what an installed agent hears and says. */
export function wireAgents(http: FastifyInstance, wires: AgentWires): void {
  const { db, sealer, accounts, devices, guardians, exceptions, detections, alerts } = wires;
  agentRoutes(http, {
    ...wires,
    familyOf: async (account) => (await guardians.active(account)).map((g) => firstName(g.name)),
    allowOf: exceptions.allowOf,
    pinOf: pinHashes({ db, sealer, sealedPinOf: sealedPin(accounts, sealer) }).of,
    storeScan: scanIntake({ ...wires, lockDevice: devices.lockForReport, tell: alerts.tell }),
    storeDetections: detectionIntake({ ...wires, store: detections, tell: alerts.tell }),
  });
}
