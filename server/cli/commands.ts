import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import { grantAccount, showAccount } from './account.ts';
import { definitionReports, definitionStatus, rotateRoot, rotateSigningKey } from './definitions.ts';
import { raiseEpoch, rotateLink, rotatePolicy, rotateRelease } from './keys.ts';
import { listMail, retryMail } from './mail.ts';
import type { Command } from './parts.ts';
import { believePayments, paymentsStatus } from './payments-account.ts';
import { createPromo, listPromos } from './promo.ts';
import { createSignupCode, listSignupCodes } from './signup-code.ts';
import { clearSupport, setSupport } from './support.ts';
import { seeHelp } from './usage.ts';

const commands: Record<string, Command> = {
  'signup-code create': createSignupCode,
  'signup-code list': listSignupCodes,
  'promo create': createPromo,
  'promo list': listPromos,
  'payments status': paymentsStatus,
  'payments believe': believePayments,
  'support set': setSupport,
  'support clear': clearSupport,
  'account grant': grantAccount,
  'account show': showAccount,
  'mail list': listMail,
  'mail retry': retryMail,
  'definitions status': definitionStatus,
  'definitions reports': definitionReports,
  'definitions rotate-signing-key': rotateSigningKey,
  'definitions rotate-root': rotateRoot,
  'keys rotate-policy': rotatePolicy,
  'keys rotate-link': rotateLink,
  'keys rotate-release': rotateRelease,
  'epoch raise': raiseEpoch,
};

/** The command that the first two words name, and what stands after them. Throws `Usage`. */
export function findCommand([noun = '', verb = '', ...args]: string[]): { command: Command; args: string[] } {
  const name = `${noun} ${verb}`;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return { command, args };
  const verbs = Object.keys(commands).filter((known) => known.startsWith(`${noun} `));
  if (verbs.length)
    throw new Usage(`After "${noun}" say ${verbs.map((known) => `"${known.slice(noun.length + 1)}"`).join(' or ')}; ${seeHelp}.`);
  throw new Usage(`There is no command "${noun}"; ${seeHelp}.`);
}

export const help = `npm run porchlight -- <words>

signup-code create   A code to register with, that gives something along.
    --code TEXT          The code; without it one is made up.
    --devices N          How many devices may be protected (5).
    --uses N             How many accounts it opens (1).
    --expires DATE       The last day on which it works, as 2027-01-31.
    --external           The plan is managed by someone else.
    --lifetime           The plan never ends.
    --note TEXT          For yourself: to whom it was given.
signup-code list     All codes, and how often each was used.

promo create         A discount for whoever registers with its address.
    --code TEXT          The code in the address.
    --percent N | --amount CENTS
    --forever | --months N
    --until DATE         The last day on which it can be used.
promo list           All promos.

payments status      Whose account at Stripe the plans belong to, and whether Stripe knows them.
payments believe     What Stripe says and the server does not believe by itself.
    --account ID         The plans belong to this account now.
    --missing            The plans of which Stripe says nothing any more are over.

support set          Someone else helps this person, instead of the usual support.
    --email ADDRESS      Whose account it is.
    --support-email ADDRESS, --phone NUMBER, --title TEXT, --description TEXT
    --link https://… --linktext TEXT
    --exclusive          Only they help; no chat is loaded.
support clear        The usual support again. --email ADDRESS

account grant        What an account may do without paying. --email ADDRESS
    --devices N, --external or --no-external, --lifetime or --no-lifetime
account show         What an account has. --email ADDRESS

mail list            What mails and texts wait, whether they are taken, and what could
                     not be sent, with the reason.
    --all                Every one, not only the newest 50.
mail retry           Sends again what could not be sent. ID | --all

definitions status   What agents get now, until when, and how each list of sites is.
definitions reports  What people called wrong, the most often named first: what was
                     matched, and nothing about who said so.
    --all                Every one, not only the first 50.
definitions rotate-signing-key
                     A new key for what agents get; the old one counts no more.
definitions rotate-root
                     A new root key, once a year or when the old one may be known.

keys rotate-policy   A new key for the policies of devices.
keys rotate-link     A new key for links; those that were given out work for 7 days.
    --stolen             Somebody may know the old one: it counts no more at once.
keys rotate-release  A new key for updates of the agent, by the statement that
                     npm run installers -- --new-release-key has made.
    --statement FILE

epoch raise          After the database was put back from a backup: agents take
                     what it says, though they have seen newer versions.

help                 This page.`;
