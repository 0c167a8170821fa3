import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db } from '../../db/open.ts';
import type { CountAttempt } from '../../http/rate-limit.ts';
import type { AccountEmails } from './account-emails.ts';
import type { LoginOrigin } from './login-tries.ts';

const { login_code_warning, login_code_warning_within, login_code_warning_every } = serverLimits;

export interface PasswordKnownDeps {
  db: Db;
  countAttempt: CountAttempt;
  mails: Pick<AccountEmails, 'passwordKnownLater'>;
}

/**
 * After several wrong codes with the right password, in a browser that the account does not know, the holder gets an email: someone knows the
 * password (P13.1). Once a day, however many codes are tried, since a flood of emails would hide the first one.
 */
export function passwordKnownWarnings({ db, countAttempt, mails }: PasswordKnownDeps) {
  return async (account: string, { browser }: LoginOrigin): Promise<void> => {
    if (browser !== null) return;
    await db.transaction().execute(async (trx) => {
      const wrong = await countAttempt(trx, 'login-code-wrong', account, login_code_warning_within);
      if (wrong.count < login_code_warning) return;
      // Counted with the email in one transaction, so that no crash loses it.
      const warnings = await countAttempt(trx, 'password-known', account, login_code_warning_every);
      if (warnings.count === 1) await mails.passwordKnownLater(trx, account);
    });
  };
}
