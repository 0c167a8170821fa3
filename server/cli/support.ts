import { brand } from '@porchlight/contract/brand.ts';
import type { ThirdPartySupport } from '@porchlight/contract/support.ts';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import type { Command } from './command-deps.ts';
import { readOptions } from './usage.ts';
import { email, phone, plainText, webLink } from './values.ts';

export const setSupport: Command = {
  name: 'support set',
  usage: `--email ADDRESS [--support-email ADDRESS] [--phone NUMBER] [--title TEXT] [--description TEXT]
                   [--link https://… [--linktext TEXT]] [--exclusive]`,
  help: `Someone else helps this person, instead of the usual support.
    --email ADDRESS   The account.
    --exclusive       Only they help; no chat is loaded.`,
  read: (args) => {
    const options = readOptions('support set', args, {
      email: { type: 'string' },
      'support-email': { type: 'string' },
      phone: { type: 'string' },
      title: { type: 'string' },
      description: { type: 'string' },
      link: { type: 'string' },
      linktext: { type: 'string' },
      exclusive: { type: 'boolean' },
    });
    const ownerEmail = addressOf(options.email);
    const details: ThirdPartySupport = {
      email: options['support-email'] === undefined ? null : email('--support-email', options['support-email']),
      phone: options.phone === undefined ? null : phone('--phone', options.phone),
      title: options.title === undefined ? null : plainText('--title', options.title, 100),
      description: options.description === undefined ? null : plainText('--description', options.description, 500),
      exclusive: options.exclusive ?? false,
      link: options.link === undefined ? null : webLink('--link', options.link),
      linktext: options.linktext === undefined ? null : plainText('--linktext', options.linktext, 100),
    };
    if (!details.email && !details.phone && !details.link) {
      throw new Usage('Say how the support is reached with at least one of --support-email, --phone and --link.');
    }
    if (details.linktext && !details.link) throw new Usage('--linktext is what a link is called, so it needs --link beside it.');
    return async ({ accountOf, support }) => {
      const account = await accountOf(ownerEmail);
      await support.set(account.uuid, details);
      return [`${account.email} now asks ${supportInWords(details)}.`];
    };
  },
};

export const clearSupport: Command = {
  name: 'support clear',
  usage: '--email ADDRESS',
  help: 'The usual support again.',
  read: (args) => {
    const ownerEmail = addressOf(readOptions('support clear', args, { email: { type: 'string' } }).email);
    return async ({ accountOf, support }) => {
      const account = await accountOf(ownerEmail);
      const wasCleared = await support.clear(account.uuid);
      return [
        wasCleared
          ? `${account.email} now asks the usual support again.`
          : `${account.email} had no support of their own; nothing changed.`,
      ];
    };
  },
};

export function addressOf(emailOption: string | undefined): string {
  if (emailOption === undefined) throw new Usage('Say whose account it is, for example --email ann@example.org.');
  return email('--email', emailOption);
}

export function supportInWords(details: ThirdPartySupport): string {
  const contacts = [details.email, details.phone, details.link].filter((contact) => contact !== null);
  return `"${details.title ?? brand.support.title}" (${contacts.join(', ')})${details.exclusive ? ', and nobody else' : ''}`;
}
