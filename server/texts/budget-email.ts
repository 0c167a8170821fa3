import type { BudgetState } from './budgets.ts';
import { type WrittenEmail, writeEmail } from './email.ts';

const textsOf = {
  codes: { what: 'code texts and calls', setting: 'CODE_TEXTS_PER_DAY', after: 'nobody can prove a phone number until midnight UTC' },
  alerts: { what: 'alert texts and calls', setting: 'ALERT_TEXTS_PER_DAY', after: 'alerts go by email only until midnight UTC' },
};

/** The email to the operator when most or all SMS of a day are used up (P11.5). */
export function budgetEmail({ name, spent, most }: BudgetState): WrittenEmail {
  const { what, setting, after } = textsOf[name];
  const isUsedUp = spent >= most;
  return writeEmail({
    subject: isUsedUp ? `All ${most} ${what} of today are used up` : `${spent} of ${most} ${what} of today are used up`,
    heading: isUsedUp ? `No more ${what} today` : `Most ${what} of today are used up`,
    paragraphs: [
      isUsedUp ? `All ${most} ${what} of today are used up: ${after}.` : `When all ${most} are used up, ${after}.`,
      `If your service has grown, raise ${setting}. If not, somebody may be running up your bill: look at your log and at your text provider.`,
    ],
  });
}
