import type { HeldRequest, NextChange } from '@porchlight/contract/held-requests.ts';
import { anyOf, listOf } from '@porchlight/contract/language.ts';
import { isAboutProgram } from '@porchlight/contract/words/waiting.ts';
import { config } from '../../lib/config.ts';
import { inWords } from '../../lib/dates.ts';
import type { Lapse } from '../../lib/lapse.ts';

/** FEATURE_GUARDIANS: without guardians nobody can be asked, so the change only waits. */
const has = config.features.guardians;

const nextCauses: Record<NextChange['cause'], string> = {
  incident: 'Something is wrong right now. A change that weakens protection waits',
  ask_first: 'You chose to ask first. A change that weakens protection waits',
  second_act: 'You weakened protection within the last hour. Another change like that waits',
};

export const messages = {
  waiting: 'Waiting…',
  oneMoment: (words: string) => `${words} One moment…`,
  saidYes: (name: string | null) => `${name ?? 'Someone'} said yes.`,
  free: 'This no longer has to wait.',
  no: (name: string | null) => `${name ?? 'Someone'} said no`,
  askAgain: (until: Date, now: Date) => `You can ask again after ${inWords(until, now)}.`,
  lapsed: {
    refused: 'This request has ended',
    unused: 'This was not done in time',
    unanswered: 'Nobody answered in time',
  } satisfies Record<Lapse, string>,
  lapsedWords: (heading: string, now: string) => `${heading}. ${now} You can try again.`,
  gone: 'This request has ended',
  goneWords: 'This request has ended. Nothing has changed. You can try again.',
  takenBack: 'You took it back',
  takenBackWords: (now: string) => `You took it back. ${now}`.trim(),
  impossible: 'It could not be done any more',
  done: 'It is done',
  doneWords: (name: string | null) => (name ? `${name} said yes, and we did it.` : 'We did it.'),
  unreachable: 'We can’t reach Porchlight right now. We keep trying.',
  waitingFor: (asked: string[]) => (asked.length ? `Waiting for ${listOf(asked)}` : 'Waiting'),
  nextChange: ({ cause, asked, rule }: NextChange) =>
    `${nextCauses[cause]} ${asked.length ? `until ${anyOf(asked)} says yes` : rule === 'hour' ? 'for an hour' : 'for a day'}.`,
  askedAt: (when: string) => `Asked ${when}.`,
  /** What happens without a screen that waits. */
  stillOpen: ({ cause, by_server, asked }: Pick<HeldRequest, 'cause' | 'by_server' | 'asked'>, passes: boolean) =>
    isAboutProgram(cause)
      ? 'It stays off until someone says yes.'
      : passes
        ? 'Nobody has answered. Your password or a passkey is enough now: do the same again.'
        : by_server && asked.length
          ? 'We do it after a yes. You don’t have to wait here.'
          : 'Nothing has changed yet.',
  leave: 'I’ll come back later',
  takeBack: 'Take it back',
  close: 'OK',
  passes: {
    lead: 'Nobody has answered. Your password or a passkey is enough now.',
    submit: 'Do it now',
    waitsOn: 'There is still no answer, so this has to wait longer.',
  },
  password: 'Password',
  blank: 'Please enter your password.',
  own: {
    lead: 'It’s not your computer, so you can also say yes.',
    yes: 'Yes, it is all right',
    send: 'Text me a code',
    sendNew: 'Send a new code',
    sent: 'We texted six digits to your phone.',
  },
  askFirst: {
    heading: 'Ask first',
    label: has ? 'Ask my guardians first' : 'Wait before protection gets weaker',
    hint: `Changes here that weaken protection wait ${has ? 'for a guardian’s yes, or for a day' : 'an hour'}. A stranger on the phone can’t rush you. At the computer, the Admin PIN still works, unless something was just stopped there.`,
    ask: {
      heading: has ? 'Stop asking first?' : 'Stop waiting first?',
      body: `Protection can then get weaker right away. We’ll tell you${has ? ' and your guardians' : ''}.`,
      confirm: has ? 'Stop asking first' : 'Stop waiting first',
      danger: true,
    },
    on: has ? 'From now on we ask your guardians first.' : 'From now on we wait first.',
    off: has ? 'We no longer ask first.' : 'We no longer wait first.',
  },
} as const;
