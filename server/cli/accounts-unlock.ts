import { listOf } from '@porchlight/contract/language.ts';
import { supportName } from '@porchlight/contract/words/activities.ts';
import { Failure, Usage } from '@porchlight/definitions/cli/command-line.ts';
import type { Lockout } from '../features/accounts/lockouts.ts';
import { inIncident } from './accounts-delete.ts';
import type { Command, CommandDeps } from './command-deps.ts';
import { addressOf } from './support.ts';
import { readOptions } from './usage.ts';

type Account = Awaited<ReturnType<CommandDeps['accountOf']>>;

const lockoutText: Record<Lockout, string> = {
  login: 'wrong passwords at the login, by one browser or network',
  login_elsewhere: 'wrong passwords at the login, from everywhere that the account does not know',
  login_code: 'wrong codes at the login, after the right password',
  password_again: 'wrong passwords where the password is asked again',
  pin: 'wrong PINs that its computers sent to the server',
  phone_code: 'wrong codes for the phone number',
  phone_code_request: 'codes for the phone number, asked for too often today',
};

export const unlockAccount: Command = {
  name: 'accounts unlock',
  usage: '--email ADDRESS [--without-second-step [--during-incident]]',
  help: `Ends the wait after too many wrong passwords, PINs or codes. Make sure that it is the holder who asks: a guesser can go on too.
    --without-second-step   Also removes the authenticator app, the passkeys and the recovery codes, for a holder who has lost them all: the
                            password alone logs in then. The holder and all guardians are notified.
    --during-incident       Also while an incident is open. A scammer may be the caller: reach the holder by a way you know first.`,
  read: (args) => {
    const options = readOptions('accounts unlock', args, {
      email: { type: 'string' },
      'without-second-step': { type: 'boolean' },
      'during-incident': { type: 'boolean' },
    });
    const ownerEmail = addressOf(options.email);
    const { 'without-second-step': without_second_step = false, 'during-incident': during_incident = false } = options;
    if (during_incident && !without_second_step) throw new Usage('--during-incident is for --without-second-step alone.');
    return async (deps) => {
      const account = await deps.accountOf(ownerEmail);
      // First, because it can be refused, and then nothing has happened.
      const removal = without_second_step ? await removeSecondStep(deps, account, during_incident) : [];
      const ended = await deps.endLockouts(account);
      return [
        ...removal,
        ...(ended.length
          ? [`${account.email} can try again. Ended:`, ...ended.map((what) => `  ${lockoutText[what]}`)]
          : [`Nothing of ${account.email} was locked; all counts begin at zero again.`]),
        'This stays: the minute that a network waits after ten logins, what a computer counts itself after wrong PINs, and a texted code after five wrong tries, for which a new one is sent.',
      ];
    };
  },
};

async function removeSecondStep(deps: CommandDeps, { uuid, email }: Account, during_incident: boolean): Promise<string[]> {
  const remove = await deps.removeSecondStep();
  const result = await remove(uuid, supportName, { during_incident });
  if (result.refused !== null) throw new Failure(`Nothing was removed. ${inIncident({ email })}`);
  if (!result.removed.length) return [`${email} has neither an authenticator app nor a passkey; the password alone logs in.`];
  return [
    `The password alone logs in to ${email} now. Removed: ${listOf(result.removed)}.`,
    'The holder and all guardians are notified. Sessions go on where someone is logged in.',
  ];
}

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
