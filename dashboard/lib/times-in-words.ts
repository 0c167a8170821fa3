import { language } from '@porchlight/contract/language.ts';
import type { TimesInWords } from '@porchlight/contract/words/activity-subject.ts';
import { inWords } from './dates.ts';

/** For what activities are about, in the reader's zone. */
export const timesInWords = (now: Date): TimesInWords => ({
  moment: (time) => inWords(time, now),
  date: (time) => new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric' }).format(time),
});
