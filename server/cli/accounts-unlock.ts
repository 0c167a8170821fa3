import type { Lockout } from '../features/accounts/lockouts.ts';
import type { Command } from './command-deps.ts';
import { addressOf } from './support.ts';
import { readOptions } from './usage.ts';

const lockoutText: Record<Lockout, string> = {
  login: 'wrong passwords at the login, by one browser or network',
  login_elsewhere: 'wrong passwords at the login, from everywhere that the account does not know',
  password_again: 'wrong passwords where the password is asked again',
  pin: 'wrong PINs that its computers sent to the server',
  phone_code: 'wrong codes for the phone number',
  phone_code_request: 'codes for the phone number, asked for too often today',
};

export const unlockAccount: Command = {
  name: 'accounts unlock',
  usage: '--email ADDRESS',
  help: 'Ends the wait after too many wrong passwords, PINs or codes. Make sure that it is the holder who asks: a guesser can go on too.',
  read: (args) => {
    const ownerEmail = addressOf(readOptions('accounts unlock', args, { email: { type: 'string' } }).email);
    return async ({ accountOf, endLockouts }) => {
      const account = await accountOf(ownerEmail);
      const ended = await endLockouts(account);
      return [
        ...(ended.length
          ? [`${account.email} can try again. Ended:`, ...ended.map((what) => `  ${lockoutText[what]}`)]
          : [`Nothing of ${account.email} was locked; all counts begin at zero again.`]),
        'This stays: the minute that a network waits after ten logins, what a computer counts itself after wrong PINs, and a texted code after five wrong tries, for which a new one is sent.',
      ];
    };
  },
};

export const confirmAccount: Command = {
  name: 'accounts confirm',
  usage: '--email ADDRESS',
  help: 'Marks the address as confirmed, after you have seen proof that it is theirs.',
  read: (args) => {
    const ownerEmail = addressOf(readOptions('accounts confirm', args, { email: { type: 'string' } }).email);
    return async ({ accountOf, confirmAddress }) => {
      const account = await accountOf(ownerEmail);
      const waiting = account.pending_email === null ? [] : ['The new address that was asked for still waits for its own confirmation.'];
      if (!(await confirmAddress(account))) return [`${account.email} is confirmed already; nothing changed.`, ...waiting];
      return [`${account.email} is confirmed now.`, ...waiting];
    };
  },
};
