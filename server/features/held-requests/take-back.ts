import type { ActivityKind, StateBeforeActivity } from '@porchlight/contract/activity-log.ts';
import type { AlertSettings } from '@porchlight/contract/alert-settings.ts';
import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import type { UnlistedProtection } from '@porchlight/contract/unlisted-protection.ts';
import type { DoneActivity } from '../../db/incident-tables.ts';
import type { Trx } from '../../db/open.ts';
import type { WaitingEntries } from '../../incident-ports.ts';

/** What the activity-log entry stored to take it back. */
interface Entry {
  account: string;
  /** The first name of who refuses it. */
  by: string;
  device: string | null;
  what: string | null;
  before: StateBeforeActivity | null;
}

export interface TakeBackDeps {
  entryOf(trx: Trx, account: string, entry: string): Promise<Omit<Entry, 'account' | 'by'> | undefined>;
  entries: Pick<WaitingEntries, 'refuse'>;
  chooseProfile(trx: Trx, account: string, device: string, policy: PolicyId): Promise<unknown>;
  /** Sets a custom profile to block everything. */
  blockAll(trx: Trx, account: string, profile: string): Promise<unknown>;
  renewPin(trx: Trx, account: string): Promise<unknown>;
  guardians: {
    remove(trx: Trx, account: string, guardian: string): Promise<unknown>;
    setMayIsolate(trx: Trx, account: string, guardian: string, may_isolate: boolean | null): Promise<unknown>;
    setOrder(trx: Trx, account: string, order: string[]): Promise<unknown>;
  };
  alerts: Changeable<AlertSettings>;
  browsing: Changeable<BrowsingProtection> & { ofLocked(trx: Trx, account: string): Promise<BrowsingProtection> };
  unlisted: Changeable<UnlistedProtection>;
  askFirst(trx: Trx, account: string): Promise<unknown>;
  stopDeletion(trx: Trx, account: string): Promise<unknown>;
  endAppointment(trx: Trx, account: string, uuid: string, by: string): Promise<unknown>;
}

interface Changeable<Choices> {
  change(trx: Trx, account: string, choices: Partial<Choices>): Promise<unknown>;
}

type Way = (trx: Trx, entry: Entry, deps: TakeBackDeps) => Promise<unknown>;

/** How a later no takes back what a yes let through (P10.1); null where that is impossible. */
const ways: Record<ActivityKind, Way | null> = {
  allowed: async (trx, { account, device, before, by }, { entries }) =>
    device && before?.exception ? entries.refuse(trx, account, device, before.exception, by) : undefined,
  profile_chosen: async (trx, { account, device, before }, { chooseProfile }) =>
    device && before?.policy ? chooseProfile(trx, account, device, before.policy) : undefined,
  profile_changed: async (trx, { account, before }, { blockAll }) => (before?.profile ? blockAll(trx, account, before.profile) : undefined),
  pin_shown: (trx, { account }, { renewPin }) => renewPin(trx, account),
  pin_reset: (trx, { account }, { renewPin }) => renewPin(trx, account),
  guardian_added: async (trx, { account, before }, { guardians }) =>
    before?.guardian ? guardians.remove(trx, account, before.guardian) : undefined,
  alerts_off: (trx, { account, what }, { alerts }) => alerts.change(trx, account, what === 'mail' ? { mail: true } : { sms: true }),
  outage_later: async (trx, { account, before }, { alerts }) =>
    before?.notify_after_days ? alerts.change(trx, account, { notify_after_days: before.notify_after_days }) : undefined,
  browsers_off: (trx, { account }, { browsing }) => browsing.change(trx, account, { browsers: true }),
  resolver_off: async (trx, { account, before }, { browsing }) =>
    before?.resolver ? browsing.change(trx, account, { resolver: before.resolver }) : undefined,
  async notifications_allowed(trx, { account, before }, { browsing }) {
    const { notification_origins } = await browsing.ofLocked(trx, account);
    const others = notification_origins.filter((origin) => !before?.notification_origins?.includes(origin));
    return browsing.change(trx, account, { notification_origins: others });
  },
  unlisted_off: async (trx, { account, before }, { unlisted }) =>
    before?.unlisted ? unlisted.change(trx, account, before.unlisted) : undefined,
  ask_first_off: (trx, { account }, { askFirst }) => askFirst(trx, account),
  isolation_off: async (trx, { account, before }, { guardians }) =>
    before?.guardian && before.may_isolate !== undefined
      ? guardians.setMayIsolate(trx, account, before.guardian, before.may_isolate)
      : undefined,
  guardians_reordered: async (trx, { account, before }, { guardians }) =>
    before?.guardian_order ? guardians.setOrder(trx, account, before.guardian_order) : undefined,
  deletion_asked: (trx, { account }, { stopDeletion }) => stopDeletion(trx, account),
  helping: async (trx, { account, before, by }, { endAppointment }) =>
    before?.appointment ? endAppointment(trx, account, before.appointment, by) : undefined,
  // Only its user can agree again, in a new call.
  call_consent_off: null,
  device_removed: null,
  guardian_removed: null,
  email_changed: null,
  phone_changed: null,
  password_changed: null,
  device_added: null,
  device_unknown: null,
  left_out: null,
  sign_in_added: null,
  sign_in_removed: null,
  recovery_codes_made: null,
  recovery_code_used: null,
  logged_out_everywhere: null,
  account_downloaded: null,
  deletion_stopped: null,
  person_changed: null,
  paused: null,
  uninstalled: null,
  pin_guessed: null,
  asked: null,
  moved: null,
  undone: null,
  leaving: null,
  left: null,
};

/** Takes back what can be taken back. `by`: the first name of who refuses them. Returns whether all of it was. */
export function takeBack(deps: TakeBackDeps) {
  return async (trx: Trx, account: string, activities: DoneActivity[], by: string): Promise<boolean> => {
    let isWhole = true;
    for (const { kind, entry } of activities) {
      const way = ways[kind];
      const logged = way && (await deps.entryOf(trx, account, entry));
      if (way && logged) await way(trx, { account, by, ...logged }, deps);
      else isWhole = false;
    }
    return isWhole;
  };
}
