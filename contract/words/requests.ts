import { brand } from '../brand.ts';
import type { HeldRequest, RequestedActivity, RequestedKind } from '../held-requests.ts';
import { inSentence } from '../names.ts';
import { inWordsOf, type TimesInWords } from './activity-subject.ts';

type Names = Omit<RequestedActivity, 'kind'>;

/** What follows *Ann wants*. Kinds that only agents report are here too, so that a new kind does not compile without its words. */
const wishes: Record<RequestedKind, (names: Names) => string> = {
  pin_shown: () => 'to see the Admin PIN',
  pin_reset: () => 'to make a new Admin PIN',
  allowed: ({ what, device }) => `to allow ${what} on ${device}`,
  profile_chosen: ({ what, device }) => `to put ${device} on ${what}, which stops less`,
  profile_changed: ({ what }) => `to change the profile ${what} to stop less`,
  paused: ({ device }) => `to pause the protection of ${device}`,
  uninstalled: ({ device }) => `to uninstall ${brand.name} from ${device}`,
  device_removed: ({ device }) => `to remove ${device} from the account`,
  guardian_added: ({ what }) => `to ask ${what} to be a guardian`,
  guardian_removed: ({ what }) => `to remove ${what} as a guardian`,
  email_changed: () => 'to change the account’s email address',
  phone_changed: () => 'to change the account’s phone number',
  password_changed: () => 'to change the account’s password',
  alerts_off: ({ what }) => `to turn off ${what} about threats`,
  outage_later: ({ what }) => `to hear of a silent device only after ${what}`,
  browsers_off: () => 'to turn off browser protection',
  resolver_off: ({ what }) => `to stop using ${what} to look up websites`,
  helping: ({ what, device }) => `to help on ${device} with ${what}`,
  notifications_allowed: ({ what }) => `to let ${what} send pop-up messages`,
  pin_guessed: ({ device }) => `to try more Admin PINs on ${device}`,
  moved: ({ device }) => `to connect ${device} to another account`,
  undone: ({ device }) => `to undo that ${device} belongs to this account`,
  leaving: ({ device }) => `to take ${device} out of this account`,
  left: ({ device }) => `to take ${device} out of this account at once`,
  person_changed: ({ what, device }) => `to change who uses ${device} to ${what}`,
  ask_first_off: () => 'to turn off Ask first',
  isolation_off: ({ what }) => `to stop letting ${what} cut the internet`,
  guardians_reordered: ({ what }) => `to have ${what} called first`,
  call_consent_off: ({ what, device }) => `to end our calls to ${what || `the user of ${device}`}`,
  sign_in_added: ({ what }) => `to add ${what} to log in with`,
  sign_in_removed: ({ what }) => `to remove ${what} from the ways to log in`,
  recovery_codes_made: () => 'to make new recovery codes',
  recovery_code_used: () => 'to log in with a recovery code',
  logged_out_everywhere: () => 'to log out everywhere',
  account_downloaded: () => 'to download the data of the account',
  deletion_asked: ({ what }) => `to have the account deleted on ${what}`,
  deletion_stopped: () => 'to stop the deletion of the account',
  unlisted_off: ({ what }) => `to turn off ${what}`,
  device_added: ({ device }) => `to add ${device}`,
  device_unknown: ({ device }) => `to mark ${device} as unknown`,
  left_out: ({ what, device }) => `to skip ${what} on ${device}`,
  asked: ({ what }) => `to use ${what}`,
  run: ({ what }) => `to run ${inSentence(what)}`,
  open_money: () => 'to open bank and money pages',
  open_site: ({ what }) => `to open ${what}`,
};

/** Like `to allow AnyDesk on Den PC`. */
function wish({ kind, device, what }: RequestedActivity): string {
  return wishes[kind]({ device: device || 'a computer', what });
}

const atComputer: readonly RequestedKind[] = ['asked', 'run', 'open_money', 'open_site'];

/** Only somebody at the computer asks for a program, or starts it. */
const whoWants = ({ kind, device }: RequestedActivity, who: string) =>
  atComputer.includes(kind) ? `Someone at ${device || 'a computer'}` : who;

/** Like `Ann wants to allow AnyDesk on Den PC.` `who`: a first name, `You` or `Someone`. */
export function requestSentence(activity: RequestedActivity, who: string): string {
  const subject = whoWants(activity, who);
  return `${subject} ${subject === 'You' ? 'want' : 'wants'} ${wish(activity)}.`;
}

/** Like `Ann wanted to allow AnyDesk on Den PC.`, once the request does not wait any longer. */
export function pastRequestSentence(activity: RequestedActivity, who: string): string {
  return `${whoWants(activity, who)} wanted ${wish(activity)}.`;
}

/** What a held request would do, a sentence each, for its reader. */
export const requestSentences = ({ activities, who }: Pick<HeldRequest, 'activities' | 'who'>, times: TimesInWords): string[] =>
  activities.map((activity) => requestSentence(inWordsOf(activity, times), who));
