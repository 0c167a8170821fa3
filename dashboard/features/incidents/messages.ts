import { bankNumber, hangUpNow, screenOff } from '@porchlight/contract/advice.ts';
import { brand } from '@porchlight/contract/brand.ts';
import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import type { HowItWent } from '@porchlight/contract/incident-events.ts';
import type { IncidentState, IncidentStep } from '@porchlight/contract/incidents.ts';
import type { Lapse } from '../../lib/lapse.ts';
import type { PersonAt } from '../../lib/person-messages.ts';

const speaker = (by: string | null) => by ?? 'You';

export const messages = {
  title: (device: string) => `What happened on ${device}`,
  back: 'Back',
  gone: 'We could not find that. It may have been erased together with its computer.',
  state: { open: 'Still open', watched: 'Over', over: 'Over' } satisfies Record<IncidentState, string>,
  stopped: 'Stopped, still open',
  first: {
    label: 'What to do first',
    self: hangUpNow,
    ask: 'Ask: “Is someone on the phone with you?”',
    known: (call: string) => `${call} now, on the number you know.`,
  },
  calm: {
    watched: (device: string, until: string) => `It’s over. We watch ${device} closely until ${until}.`,
    over: 'It’s over. There’s nothing to do.',
    by: (by: string | null, when: string) => `${speaker(by)} said it’s over, ${when}.`,
  },
  ends: (when: string) => `If nothing more happens, this ends ${when}.`,
  happened: 'What happened',
  alert: 'See the alert',
  todo: {
    heading: 'What to do now',
    steps: ({ kind, again }: PersonAt): Record<IncidentStep, string> => ({
      hang_up: kind === 'other' && again !== 'them' ? `Get ${again} off the phone` : 'Hang up',
      screen_off: screenOff,
      call_bank: 'Call the bank: the number on the card',
      check_programs: 'Remove new programs',
      change_passwords: 'Change passwords',
      report: 'Report it',
    }),
    done: (by: string | null, when: string) => `${speaker(by)}, ${when}`,
    /** A stranger in the account can tick it too, so it is not done for the family. */
    fromAccount: (by: string | null, when: string) => `From ${by === null ? 'your' : `${by}’s`} account, ${when}`,
  },
  knows: {
    heading: 'Who knows',
    onIt: (by: string | null, when: string) => `${by === null ? 'You are' : `${by} is`} on it, ${when}`,
    accountOnIt: (by: string | null, when: string) => `From ${by === null ? 'your' : `${by}’s`} account: “I’m on it,” ${when}`,
    mine: (by: string | null, when: string) => `${speaker(by)} said: “It was me,” ${when}`,
    /** `next`: `we call Bob`. */
    running: (next: { words: string; at: string } | null) =>
      next ? `Nobody has answered yet. At ${next.at}, ${next.words}.` : 'Nobody has answered yet.',
    unanswered: 'We tried everyone, and nobody has answered.',
  },
  answers: {
    heading: 'More answers',
    mine: 'It was me',
    mineHint: 'Everyone here can read that. Protection stays as it is.',
    onIt: 'I’m on it',
    onItHint: 'Press this so the others know you’ve got it.',
    over: 'It’s over',
    overAsk: (device: string) => ({
      heading: 'Is it over?',
      body: `Only if nobody is on the phone, and nobody else uses ${device}. After this, changes no longer wait because of it.`,
      confirm: 'Yes, it’s over',
    }),
    after: {
      heading: 'Allowed after this',
      stop: (name: string) => `Stop allowing ${name}`,
      where: (device: string) => `On ${device}.`,
      until: (when: string | null) => (when ? `Allowed until ${when}.` : 'Allowed until it’s removed.'),
      waits: 'Off until someone says yes.',
    },
    allow: (name: string) => `Allow ${name} for an hour`,
    notYours: (labels: string[], why: string) => `${labels.map((label) => `“${label}”`).join(' and ')}: ${why}`,
    allowAsk: (name: string, device: string) => ({
      heading: `Allow ${name} for an hour?`,
      body: `Anyone who gets in with it sees and moves everything on ${device}. Never allow it because a caller asks.`,
      confirm: 'Allow for an hour',
    }),
    thanks: {
      mine: 'Thank you. Everyone here can read that.',
      on_it: 'Thank you. The others can see that you’re on it.',
      over: 'Good. It’s over.',
      overAsked: 'We noted that. Nothing has ended yet: you can end it in an hour, with the same button.',
      allow_hour: 'Allowed for an hour.',
    },
  },
  how: {
    heading: 'How did it go?',
    answers: { fine: 'All fine', helped: `${brand.name} helped`, lost_money: 'Money was lost' } satisfies Record<HowItWent, string>,
    thanks: 'Thank you. That helps us protect others.',
    lost: `We’re sorry. Call the bank now. ${bankNumber} Often they can still stop it.`,
  },
  proof: {
    heading: 'Show that it’s you',
    cancel: 'Cancel',
    password: 'Your password',
    passwordMissing: 'Enter your password.',
    passwordHint: 'So we know it’s you.',
    sending: 'We are sending six digits to your phone.',
    sent: 'We texted six digits to your phone. Enter them here. Or answer from your phone, with Wi-Fi off.',
    sendNew: 'Send a new code',
    go: 'Continue',
  },
  request: {
    heading: 'Changes asked for',
    answered: 'Questions answered today',
    callFirst: (call: string) => `${call} first`,
    callKnown: (call: string) => `${call} first, on the number you know.`,
    ask: 'Ask: “Is someone on the phone with you? Do they want money, codes, or cards?”',
    yesOnly: 'Say yes only after that.',
    no: 'No, stop this',
    yes: 'Yes, it is all right',
    yesHour: 'Yes, for an hour',
    yesAlways: 'Yes, from now on',
    /** `passes`: when the holder's password is enough (P10.2). */
    unanswered: (passes: string) => `Without an answer, nothing changes until ${passes}.`,
    staysOff: 'Without an answer, it stays off.',
    takeBack: 'Take it back',
    noAsk: (wants: string, then: string) => ({ heading: 'Stop this?', body: `${wants} ${then}`, confirm: 'No, stop this' }),
    refused: 'We refuse it for 24 hours, and end or take back what was let through.',
    asked: (names: string) => `We asked ${names}.`,
    answers: {
      yes: (by: string | null, when: string) => `${speaker(by)} said yes, ${when}.`,
      no: (by: string | null, when: string) => `${speaker(by)} said no, ${when}.`,
    },
    states: {
      yes: (until: string) => `It may be done until ${until}.`,
      impossible: () => 'It could not be done any more. Nothing has changed.',
      no: (until: string) => `It stays stopped until ${until}.`,
      done: () => 'It was done.',
      free: () => 'It no longer has to wait.',
    } satisfies Record<Exclude<HeldRequest['state'], 'lapsed' | 'open' | 'undone'>, (when: string) => string>,
    underWay: 'We do it now.',
    /** Before what is so now. */
    lapsed: {
      refused: '',
      unused: 'It was not done in time. ',
      unanswered: 'Nobody answered in time. ',
    } satisfies Record<Lapse, string>,
    lifted: (when: string) => `Support let it through, ${when}.`,
    gone: 'This request has ended. There’s nothing to answer.',
    thanks: { yes: 'Thank you. They can go on now.', no: 'You said no. Call them, if you haven’t yet.' },
  },
  link: {
    see: 'See what happened',
    of: (words: string) => `See what happened: ${words}`,
  },
  list: {
    heading: 'Incidents',
    label: 'Pages of incidents',
    newer: 'Newer incidents',
    older: 'Older incidents',
  },
} as const;
