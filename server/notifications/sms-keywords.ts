export type SmsKeyword = 'out' | 'in' | 'help' | 'on_it' | null;

/** Twilio's own lists (https://help.twilio.com/articles/223134027): the carrier blocks a number at these, so we must know it too. */
const keywords: Record<string, SmsKeyword> = {
  STOP: 'out',
  STOPALL: 'out',
  UNSUBSCRIBE: 'out',
  CANCEL: 'out',
  END: 'out',
  QUIT: 'out',
  REVOKE: 'out',
  OPTOUT: 'out',
  START: 'in',
  UNSTOP: 'in',
  YES: 'in',
  HELP: 'help',
  INFO: 'help',
  1: 'on_it',
};

/** Everything but letters, digits and signs such as `+`: quotes, punctuation, emoji with their modifiers, white space, invisible marks. */
const aroundKeywords = /[\p{P}\p{So}\p{Sk}\p{M}\p{Z}\p{C}]+/gu;

/** One of the keywords as the whole text (P5.5, P11.1, P17.4), in any case and width, also in two words such as `opt out`. */
export function keywordOf(body: string): SmsKeyword {
  const keyword = body.normalize('NFKC').replace(aroundKeywords, '').toUpperCase();
  return Object.hasOwn(keywords, keyword) ? (keywords[keyword] ?? null) : null;
}
