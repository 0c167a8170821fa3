import type { BudgetState } from './budgets.ts';
import { type WrittenEmail, writeEmail } from './email.ts';

const words = {
  codes: { what: 'code texts', setting: 'CODE_TEXTS_PER_DAY', after: 'nobody can prove a phone number until midnight UTC' },
  alerts: { what: 'alert texts', setting: 'ALERT_TEXTS_PER_DAY', after: 'alerts go by email only until midnight UTC' },
};

/** To the operator, when most or all of the texts of a day are used up (P11.5). */
export function budgetEmail({ name, spent, most }: BudgetState): WrittenEmail {
  const { what, setting, after } = words[name];
  const gone = spent >= most;
  return writeEmail({
    subject: gone ? `All ${most} ${what} of today are used up` : `${spent} of ${most} ${what} of today are used up`,
    heading: gone ? `No more ${what} today` : `Most ${what} of today are used up`,
    paragraphs: [
      gone ? `All ${most} ${what} of today are used up: ${after}.` : `When all ${most} are used up, ${after}.`,
      `If your service has grown, raise ${setting}. If not, somebody may be running up your bill: look at your log and at your text provider.`,
    ],
  });
}
