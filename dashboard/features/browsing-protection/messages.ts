import type { ResolverChoice } from '@porchlight/contract/protective-resolvers.ts';
import { config } from '../../lib/config.ts';
import { websiteListMessages } from '../../lib/website-list-messages.ts';

/** FEATURE_GUARDIANS: without guardians only the holder is notified. */
const notice = `We’ll tell you${config.features.guardians ? ' and your guardians' : ''}.`;

const protective = (name: string, runBy: string) =>
  `${name}, ${runBy}, sees the name of every website these computers look up, and your internet address. It gives no answer for websites it knows to be harmful. If it can’t be reached, your provider looks them up, as usual.`;

export const messages = {
  heading: 'Web browsing',
  browsers: {
    label: 'Protect web browsers',
    hint: 'Applies to computers with the Strict profile. Takes effect the next time the browser starts.',
    takes_away: {
      heading: 'What Strict takes away from web browsers',
      list: [
        'Pop-up messages from websites. Mail, calendar and message websites like Gmail, Outlook and WhatsApp may still send them.',
        'Remote help that is built into the browser.',
        'Looking up website names past Porchlight.',
        'In Edge and Firefox, the way past a warning about a dangerous page or download.',
        'In Chrome and Brave, having no such warnings: where someone has switched them off, we switch the standard ones on.',
        'While there is trouble at a computer: all pop-up messages from websites there, showing its screen to others, and adding extensions. Those that are there keep working.',
      ],
    },
    enhanced: {
      heading: 'Chrome can warn of more',
      body: [
        'In Chrome, open Settings, then Privacy and security, then Security, and choose Enhanced protection. Chrome then warns of more pages and downloads, and sooner.',
        'Google then sees the addresses of the pages you open, and some of what is on them, and connects that with your Google account for a while if you are signed in. With standard protection, Google sees an address only when a page or a download does something suspicious. Porchlight sees nothing of it either way.',
        'We don’t choose it for you, and we leave it on where it is on.',
      ],
    },
    ask: {
      heading: 'Stop protecting web browsers?',
      body: `Websites can send pop-up messages again, and callers can use the browser to take over. ${notice}`,
      confirm: 'Stop protecting them',
      danger: true,
    },
  },
  origins: {
    heading: 'Other websites that may send pop-up messages',
    hint: 'Add one only if you know it and trust it.',
    field: 'Website',
    add: 'Let it send them',
    button: 'Remove',
    remove: (site: string) => `Remove ${site}`,
    ...websiteListMessages,
    notAWebsite: 'That isn’t a website that can send them. Type it like mail.example.com.',
    ask: (site: string) => ({
      heading: `Let ${site} send pop-up messages?`,
      body: `It can show messages on every computer with the Strict profile. Scammers use them for false virus warnings. ${notice}`,
      confirm: 'Let it send them',
      danger: true,
    }),
  },
  /** Asked once, when a device is added. */
  offer: {
    heading: 'Who should look up website names?',
    network: 'My internet provider',
    quad9: 'Quad9',
    either: 'Either way, we block the scam websites that we know. You can change this under Protection Profiles.',
    saved: 'Saved. We won’t ask again.',
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
