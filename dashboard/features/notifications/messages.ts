import { config } from '../../lib/config.ts';

/** FEATURE_GUARDIANS: without guardians only the holder is notified. */
const has = config.features.guardians;

export const messages = {
  heading: 'How we reach you',
  ways: 'Tell me',
  mail: 'By email',
  sms: `By text message${config.features.phone_verification ? ', where my phone number is confirmed' : ''}`,
  weekly: 'On Sundays, a short email about how the week was. In quiet times, one a month',
  everyWeek: 'Every Sunday, also after a quiet week',
  days: `Tell me ${has ? 'and my guardians ' : ''}when a device says nothing for`,
  day: { 1: '1 day', 3: '3 days', 7: '7 days' },
  dayHint: 'A computer that is switched off says so. We tell you which of the two it is.',
  save: 'Save',
  saved: 'Your alert settings have been saved.',
  keepOne: 'Keep at least one on, emails or texts, so that we can reach you.',
} as const;
