import type { AlertAnswer } from '@porchlight/contract/detections.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import type { Clock } from '../../lib/clock.ts';
import { firstName } from '../../lib/formatting.ts';
import type { NameLookup, OptOutLookup } from '../../ports.ts';
import type { AcknowledgementStore } from './acknowledgement-store.ts';
import { maskedPhone, stateOf } from './rules.ts';
import type { GuardianRow } from './store.ts';

export interface ViewDeps {
  clock: Clock;
  acknowledgements: Pick<AcknowledgementStore, 'by'>;
  nameOf: NameLookup;
  hasValidPlan(account: string): Promise<boolean>;
  devicesOf(account: string): Promise<GuardianView['devices']>;
  /** The last ones, as many as a guardian sees. */
  alertsOf(account: string): Promise<Omit<GuardianView['alerts'][number], 'seen' | 'answers'>[]>;
  /** What people said of these alerts, as this guardian reads it. */
  answersOf(guardian: GuardianRow, alerts: string[]): Promise<Map<string, AlertAnswer[]>>;
  optedOutOf: OptOutLookup;
  /** The number that texts come from, E.164; null where there is none. */
  texts_from: string | null;
}

const nothingYet = {
  mail: false,
  sms: false,
  phone_number: null,
  phone_number_verified: false,
  phone_number_opted_out: false,
  phone_number_host: null,
  plan: true,
  devices: [],
  alerts: [],
};

/** What a guardian sees (P5.2): before they accept, and after they left, nothing but names and how it stands. */
export function guardianViews(deps: ViewDeps) {
  const of = async (guardian: GuardianRow): Promise<GuardianView> => {
    const state = stateOf(guardian, deps.clock.now());
    const known = { state, name: guardian.name, holder_name: firstName(await deps.nameOf(guardian.account)) };
    if (state !== 'active') return { ...known, ...nothingYet };
    const { mail, sms, phone_number, phone_number_verified } = guardian;
    const silent = await deps.optedOutOf(phone_number === null ? [] : [phone_number]);
    const seen = await deps.acknowledgements.by(guardian);
    const alerts = await deps.alertsOf(guardian.account);
    const uuids = alerts.map(({ uuid }) => uuid);
    const answers = await deps.answersOf(guardian, uuids);
    return {
      ...known,
      mail,
      sms,
      phone_number,
      phone_number_verified,
      phone_number_opted_out: silent.size > 0,
      phone_number_host: deps.texts_from,
      plan: await deps.hasValidPlan(guardian.account),
      devices: await deps.devicesOf(guardian.account),
      alerts: alerts.map((alert) => ({
        ...alert,
        seen: seen.get(alert.uuid)?.toISOString() ?? null,
        answers: answers.get(alert.uuid) ?? [],
      })),
    };
  };

  return {
    of,
    /** The same for the holder; the phone number is the guardian's own. */
    async preview(guardian: GuardianRow): Promise<GuardianView> {
      const view = await of(guardian);
      return { ...view, phone_number: view.phone_number && maskedPhone(view.phone_number) };
    },
  };
}
