import { Failure } from '@porchlight/definitions/cli/command-line.ts';
import { PlanUnknown } from '../features/subscriptions/cancel.ts';
import type { Command, CommandDeps } from './command-deps.ts';
import { paymentFailure } from './payments.ts';
import { addressOf } from './support.ts';
import { readOptions } from './usage.ts';

type Account = Awaited<ReturnType<CommandDeps['accountOf']>>;

export const deleteAccount: Command = {
  name: 'accounts delete',
  usage: '--email ADDRESS [--yes] [--during-incident]',
  help: `Deletes an account for good: plan, computers, guardians and everything that is stored. Without --yes it says what would go.
    --yes                Delete it.
    --during-incident    Also while an incident is open. A scammer may be the caller: reach the holder by a way you know first.`,
  read: (args) => {
    const options = readOptions('accounts delete', args, {
      email: { type: 'string' },
      yes: { type: 'boolean' },
      'during-incident': { type: 'boolean' },
    });
    const ownerEmail = addressOf(options.email);
    const { yes = false, 'during-incident': during_incident = false } = options;
    return async (deps) => {
      const account = await deps.accountOf(ownerEmail);
      if (!yes) throw new Failure((await whatWouldGo(deps, account)).join('\n'));
      const result = await deps.deletion.delete(account.uuid, { during_incident }).catch((reason: unknown) => failedDeletion(reason));
      if (result.refused === 'in_incident') throw new Failure(inIncident(account, result.plans));
      if (result.refused !== null) return [`${account.email} is deleted already.`];
      return [
        `${account.email} is deleted, with everything that was stored about it.`,
        result.plans === 0 ? 'There was no plan to cancel.' : 'Its plan is canceled at Stripe; payments made before stay there.',
        'Its computers learn of it when they call next, and ask for the PIN for 24 hours more. The links of its guardians are dead.',
        result.mailed ? 'One last email to the holder says so.' : 'The holder gets no email, because the address was never confirmed.',
      ];
    };
  },
};

async function whatWouldGo({ deletion }: CommandDeps, account: Account): Promise<string[]> {
  const counts = await deletion.count(account);
  return [
    `Nothing was deleted. This would go with ${account.email}:`,
    ...counts.map(({ title, count }) => `  ${title}: ${count}`),
    ...((await deletion.isInIncident(account.uuid)) ? [inIncident(account, 0)] : []),
    'A plan at Stripe would be canceled at once. Nothing of it can be taken back; "accounts export" stores a copy first.',
    'Say --yes to delete it.',
  ];
}

const inIncident = ({ email }: Account, plans: number) =>
  `An incident of ${email} is open, so who asks for this may be a scammer. Reach the holder or a guardian by a way you know. If they want it now, say --during-incident.${plans === 0 ? '' : ' The plan is canceled already; nothing else was deleted.'}`;

function failedDeletion(reason: unknown): never {
  if (reason instanceof PlanUnknown) throw new Failure(`Nothing was deleted. ${reason.message}`);
  const stripeFailure = paymentFailure(reason);
  if (stripeFailure === null) throw reason;
  throw new Failure(`Nothing was deleted, because the plan could not be canceled. ${stripeFailure} Then run this again.`);
}
