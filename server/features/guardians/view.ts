import type { AlertAnswer } from '@porchlight/contract/detections.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../http/caller-of.ts';
import { isNearAgent } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { OptOutLookup } from '../../ports.ts';
import { firstName } from '../../texts/formatting.ts';
import type { AcknowledgementStore } from './acknowledgement-store.ts';
import { maskedPhone, stateOf } from './rules.ts';
import type { GuardianRow } from './store.ts';

/** From where a guardian reads. `ip`: from `callerOf`. */
export interface GuardianCaller {
  ip: string;
  browser_near: boolean;
}

export interface ViewDeps extends Pick<Kernel, 'clock' | 'nameOf'> {
  requestsOf(guardian: GuardianRow, caller: GuardianCaller): Promise<GuardianView['requests']>;
  incidentsOf(account: string): Promise<GuardianView['incidents']>;
  acknowledgements: Pick<AcknowledgementStore, 'by'>;
  hasValidPlan(account: string): Promise<boolean>;
  devicesOf(account: string): Promise<Omit<GuardianView['devices'][number], 'known'>[]>;
  /** When each device was made, and the guardian who does not know it (P18.2). */
  doubtsOf(account: string): Promise<Map<string, { created: Date; unknown_to: string | null }>>;
  alertsOf(account: string): Promise<Omit<GuardianView['alerts'][number], 'seen' | 'answers'>[]>;
  answersOf(guardian: GuardianRow, alerts: string[]): Promise<Map<string, AlertAnswer[]>>;
  optedOutOf: OptOutLookup;
  /** The phone number that sends text messages, E.164; null if the server has none. */
  texts_from: string | null;
}

const emptyView = {
  mail: false,
  weekly: false,
  every_week: false,
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

/** In milliseconds. A computer is asked about for so long after it was added (P18.2). */
const asked_for = 30 * 24 * 3_600_000;

/** Whether the guardian is asked about the device, or what was answered. */
function knownTo(
  { uuid, accepted }: Pick<GuardianRow, 'uuid' | 'accepted'>,
  doubt: { created: Date; unknown_to: string | null } | undefined,
  now: Date,
): GuardianView['devices'][number]['known'] {
  if (!doubt) return 'unasked';
  if (doubt.unknown_to !== null) return doubt.unknown_to === uuid ? 'unknown_to_you' : 'unknown';
  const isNew = accepted !== null && doubt.created >= accepted && after(doubt.created, asked_for) > now;
  return isNew ? 'asked' : 'unasked';
}

/** The guardian's view (P5.2). Unless active, it contains only names and state. */
export function guardianViews(deps: ViewDeps) {
  /** `caller`: null in the holder's preview, which carries no questions. */
  const viewOf = async (guardian: GuardianRow, caller: GuardianCaller | null): Promise<GuardianView> => {
    const state = stateOf(guardian, deps.clock.now());
    const baseView = { state, name: guardian.name, holder_name: firstName(await deps.nameOf(guardian.account)) };
    if (state !== 'active') return { ...baseView, ...emptyView };
    const { mail, weekly, every_week, sms, phone_number, phone_number_verified } = guardian;
    const optedOut = await deps.optedOutOf(phone_number === null ? [] : [phone_number]);
    const acknowledgedAt = await deps.acknowledgements.by(guardian);
    const alerts = await deps.alertsOf(guardian.account);
    const uuids = alerts.map(({ uuid }) => uuid);
    const answers = await deps.answersOf(guardian, uuids);
    const [devices, doubts] = [await deps.devicesOf(guardian.account), await deps.doubtsOf(guardian.account)];
    return {
      ...baseView,
      mail,
      weekly,
      every_week,
      sms,
      phone_number,
      phone_number_verified,
      phone_number_opted_out: optedOut.size > 0,
      phone_number_host: deps.texts_from,
      plan: await deps.hasValidPlan(guardian.account),
      devices: devices.map((device) => ({ ...device, known: knownTo(guardian, doubts.get(device.uuid), deps.clock.now()) })),
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
