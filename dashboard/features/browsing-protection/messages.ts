import type { ResolverChoice } from '@porchlight/contract/protective-resolvers.ts';
import { config } from '../../lib/config.ts';

/** FEATURE_GUARDIANS: without guardians only the holder is notified. */
const notice = `We’ll tell you${config.features.guardians ? ' and your guardians' : ''}.`;

const protective = (name: string, runBy: string) =>
  `${name}, ${runBy}, sees the name of every website these computers look up, and your internet address. It gives no answer for websites it knows to be harmful. If it can’t be reached, your provider looks them up, as usual.`;

export const messages = {
  heading: 'Web browsing',
  browsers: {
    label: 'Protect web browsers',
    hint: 'Websites can’t send pop-up messages, and callers can’t take over through the browser. Applies to computers with the Strict profile. Takes effect the next time the browser starts.',
    ask: {
      heading: 'Stop protecting web browsers?',
      body: `Websites can send pop-up messages again, and callers can use the browser to take over. ${notice}`,
      confirm: 'Stop protecting them',
      danger: true,
    },
  },
  resolver: {
    legend: 'Who looks up website names?',
    hint: 'Before a computer opens a website, it asks a company where to find it. That company sees the website’s name.',
    label: {
      network: 'Your internet provider, as usual',
      quad9: 'Quad9',
      cloudflare: 'Cloudflare for Families',
    } satisfies Record<ResolverChoice, string>,
    means: {
      network: 'Your internet provider sees the name of every website these computers look up, as it does without Porchlight.',
      quad9: protective('Quad9', 'a nonprofit in Switzerland'),
      cloudflare: protective('Cloudflare', 'a company in the United States'),
    } satisfies Record<ResolverChoice, string>,
    ask: (name: string) => ({
      heading: `Stop using ${name}?`,
      body: `Your internet provider looks up website names again, even those that ${name} knows to be harmful. ${notice}`,
      confirm: 'Stop using it',
      danger: true,
    }),
  },
  saved: 'Saved. Changes can take up to an hour to reach your computers.',
} as const;
