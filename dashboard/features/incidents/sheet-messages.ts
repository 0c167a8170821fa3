import type { IncidentDelivery, IncidentNotice } from '@porchlight/contract/incidents.ts';
import { channelNames } from '../../lib/delivery-messages.ts';

const noticeNames: Record<IncidentNotice, string> = {
  alert: 'what was found',
  unanswered: 'nobody had answered yet',
  change: 'what was changed',
  question: 'a change that waits for a yes',
  stop: 'everything was stopped',
  help: 'a call for help',
};

export const sheetMessages = {
  link: 'Print this for the bank and the police',
  button: 'Print',
  heading: (brand: string) => `Incident report from ${brand}`,
  computer: 'Computer',
  user: 'Used by',
  holder: 'Account of',
  what: 'What happened',
  began: 'First noticed',
  ended: 'Ended',
  notEnded: 'Still open',
  number: 'Report number',
  found: 'What was found',
  changed: 'What changed, and who asked',
  nothingChanged: 'Nothing was changed.',
  endedBy: (when: string, by: string | null) => (by === null ? when : `${when}, by ${by}`),
  notified: 'Who was notified',
  sent: ({ recipient, channel, about }: Pick<IncidentDelivery, 'recipient' | 'channel' | 'about'>) =>
    `${recipient}, by ${channelNames[channel]}: ${noticeNames[about]}`,
  nobody: 'Nobody.',
  byHand: 'To fill in by hand',
  blanks: [
    'Case number',
    'Bank, and who you spoke to',
    'Account or card',
    'Amount',
    'Phone number of the caller',
    'What the caller wanted',
  ],
  made: (when: string) => `Printed ${when}. Times are in the zone named with them.`,
} as const;
