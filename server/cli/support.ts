import { brand } from '@porchlight/contract/brand.ts';
import type { ThirdPartySupport } from '@porchlight/contract/support.ts';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import type { Command } from './parts.ts';
import { readOptions } from './usage.ts';
import { email, phone, webLink, words } from './values.ts';

export const setSupport: Command = (args) => {
  const typed = readOptions('support set', args, {
    email: { type: 'string' },
    'support-email': { type: 'string' },
    phone: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    link: { type: 'string' },
    linktext: { type: 'string' },
    exclusive: { type: 'boolean' },
  });
  const whose = addressOf(typed.email);
  const details: ThirdPartySupport = {
    email: typed['support-email'] === undefined ? null : email('--support-email', typed['support-email']),
    phone: typed.phone === undefined ? null : phone('--phone', typed.phone),
    title: typed.title === undefined ? null : words('--title', typed.title, 100),
    description: typed.description === undefined ? null : words('--description', typed.description, 500),
    exclusive: typed.exclusive ?? false,
    link: typed.link === undefined ? null : webLink('--link', typed.link),
    linktext: typed.linktext === undefined ? null : words('--linktext', typed.linktext, 100),
  };
  if (!details.email && !details.phone && !details.link) {
    throw new Usage('Say how the support is reached with at least one of --support-email, --phone and --link.');
  }
  if (details.linktext && !details.link) throw new Usage('--linktext is what a link is called, so it needs --link beside it.');
  return async ({ accountOf, support }) => {
    const account = await accountOf(whose);
    await support.set(account.uuid, details);
    return [`${account.email} now asks ${supportInWords(details)}.`];
  };
};

export const clearSupport: Command = (args) => {
  const whose = addressOf(readOptions('support clear', args, { email: { type: 'string' } }).email);
  return async ({ accountOf, support }) => {
    const account = await accountOf(whose);
    const there = await support.clear(account.uuid);
    return [
      there ? `${account.email} now asks the usual support again.` : `${account.email} had no support of their own; nothing changed.`,
    ];
  };
};

/** Whose account a command is about. */
export function addressOf(typed: string | undefined): string {
  if (typed === undefined) throw new Usage('Say whose account it is, for example --email ann@example.org.');
  return email('--email', typed);
}

export function supportInWords(details: ThirdPartySupport): string {
  const ways = [details.email, details.phone, details.link].filter((way) => way !== null);
  return `"${details.title ?? brand.support.title}" (${ways.join(', ')})${details.exclusive ? ', and nobody else' : ''}`;
}
