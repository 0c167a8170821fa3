import type { AlertAnswer } from '@porchlight/contract/detections.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../lib/caller-of.ts';
import type { Clock } from '../../lib/clock.ts';
import { firstName } from '../../lib/formatting.ts';
import { isNearAgent } from '../../lib/weakening-call.ts';
import type { NameLookup, OptOutLookup } from '../../ports.ts';
import type { AcknowledgementStore } from './acknowledgement-store.ts';
import { maskedPhone, stateOf } from './rules.ts';
import type { GuardianRow } from './store.ts';

/** From where a guardian reads. `ip`: from `callerOf`. */
export interface GuardianCaller {
  ip: string;
  browser_near: boolean;
}

export interface ViewDeps {
  requestsOf(guardian: GuardianRow, caller: GuardianCaller): Promise<GuardianView['requests']>;
  incidentsOf(account: string): Promise<GuardianView['incidents']>;
  clock: Clock;
  acknowledgements: Pick<AcknowledgementStore, 'by'>;
  nameOf: NameLookup;
  hasValidPlan(account: string): Promise<boolean>;
  devicesOf(account: string): Promise<GuardianView['devices']>;
  alertsOf(account: string): Promise<Omit<GuardianView['alerts'][number], 'seen' | 'answers'>[]>;
  answersOf(guardian: GuardianRow, alerts: string[]): Promise<Map<string, AlertAnswer[]>>;
  optedOutOf: OptOutLookup;
  /** The phone number that sends text messages, E.164; null if the server has none. */
  texts_from: string | null;
}

const emptyView = {
  mail: false,
  sms: false,
  phone_number: null,
  phone_number_verified: false,
  phone_number_opted_out: false,
  phone_number_host: null,
  plan: true,
  devices: [],
  alerts: [],
  requests: [],
  incidents: [],
};

/** The guardian's view (P5.2). Unless active, it contains only names and state. */
export function guardianViews(deps: ViewDeps) {
  /** `caller`: null in the holder's preview, which carries no questions. */
  const viewOf = async (guardian: GuardianRow, caller: GuardianCaller | null): Promise<GuardianView> => {
    const state = stateOf(guardian, deps.clock.now());
    const baseView = { state, name: guardian.name, holder_name: firstName(await deps.nameOf(guardian.account)) };
    if (state !== 'active') return { ...baseView, ...emptyView };
    const { mail, sms, phone_number, phone_number_verified } = guardian;
    const optedOut = await deps.optedOutOf(phone_number === null ? [] : [phone_number]);
    const acknowledgedAt = await deps.acknowledgements.by(guardian);
    const alerts = await deps.alertsOf(guardian.account);
    const uuids = alerts.map(({ uuid }) => uuid);
    const answers = await deps.answersOf(guardian, uuids);
    return {
      ...baseView,
      mail,
      sms,
      phone_number,
      phone_number_verified,
      phone_number_opted_out: optedOut.size > 0,
      phone_number_host: deps.texts_from,
      plan: await deps.hasValidPlan(guardian.account),
      devices: await deps.devicesOf(guardian.account),
      alerts: alerts.map((alert) => ({
        ...alert,
        seen: acknowledgedAt.get(alert.uuid)?.toISOString() ?? null,
        answers: answers.get(alert.uuid) ?? [],
      })),
      requests: caller ? await deps.requestsOf(guardian, caller) : [],
      incidents: await deps.incidentsOf(guardian.account),
    };
  };

  return {
    of: (guardian: GuardianRow, request: FastifyRequest) =>
      viewOf(guardian, { ip: callerOf(request.address), browser_near: isNearAgent(request) }),
    /** The holder's preview, with a masked phone number. */
    async preview(guardian: GuardianRow): Promise<GuardianView> {
      const view = await viewOf(guardian, null);
      return { ...view, phone_number: view.phone_number && maskedPhone(view.phone_number) };
    },
  };
}
