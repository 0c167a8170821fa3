import type { NewPrograms } from '@porchlight/contract/unlisted-protection.ts';
import { config } from '../../lib/config.ts';
import { websiteListMessages } from '../../lib/website-list-messages.ts';

/** FEATURE_GUARDIANS: without guardians only the holder is notified. */
const has = config.features.guardians;
const notice = `We’ll tell you${has ? ' and your guardians' : ''}.`;

const stop = (heading: string, body: string) => ({ heading, body: `${body} ${notice}`, confirm: 'Turn it off', danger: true });

const problems = { ...websiteListMessages, notAWebsite: 'That isn’t a website. Type it like mybank.com.' };

export const messages = {
  heading: 'New and unknown things',
  lead: 'Scammers also use programs and tricks that nobody has listed yet. Applies to computers with the Strict profile or one of your own.',
  pasted_commands: {
    label: 'Stop pasted commands',
    hint: 'Fake “I am not a robot” pages have people paste a line that downloads something and starts it. It waits until someone says yes.',
    ask: stop('Stop checking pasted commands?', 'A pasted line can download something and start it, without asking anyone.'),
  },
  new_programs: {
    legend: 'When a program from the internet starts for the first time',
    label: {
      incident: 'Ask while there is trouble',
      always: 'Always ask: nothing new runs without a yes',
      count: 'Let it run',
    } satisfies Record<NewPrograms, string>,
    means: {
      incident: 'After we stop something, new programs wait until someone says yes, or until it’s over.',
      always: `Each new program waits until someone says yes.${has ? ' Works once someone looks out for you.' : ''}`,
      count: 'We only count them.',
    } satisfies Record<NewPrograms, string>,
    ask: {
      incident: stop('Stop asking about every new program?', 'New programs will only wait while there is trouble.'),
      count: stop('Stop asking about new programs?', 'New programs will run even while there is trouble.'),
    },
  },
  doors: {
    label: 'Watch for ways in',
    hint: 'Remote Desktop turned on, a new administrator, a private network like Tailscale, changed website addresses. We tell you at once, and change back what we safely can.',
    ask: stop('Stop watching for ways in?', 'Nobody hears of it when someone opens a way into a computer.'),
  },
  money_pages: {
    label: 'Rest money pages during trouble',
    hint: `Banks, exchanges and gift card shops don’t open while someone has control of the computer, or while we wait for an answer about a stop. ${has ? 'A guardian’s yes opens them again.' : ''}`,
    ask: stop('Let money pages open at all times?', 'A caller can have money sent while there is trouble.'),
  },
  money_sites: {
    heading: 'Your own bank',
    hint: 'We know most banks. Is yours a small one? Add its website, and it rests too.',
    field: 'Website of your bank',
    add: 'Add this bank',
    button: 'Remove',
    ...problems,
    remove: (site: string) => `Remove ${site}`,
    ask: (site: string) => ({ ...stop(`Stop resting ${site}?`, `${site} will open even while there is trouble.`), confirm: 'Remove' }),
  },
  money_open: {
    heading: 'Money pages that always open',
    hint: 'For example one that you need for work.',
    field: 'Website',
    add: 'Let it open',
    button: 'Let it rest',
    ...problems,
    remove: (site: string) => `Let it rest again: ${site}`,
    ask: (site: string) => ({
      ...stop(`Let ${site} open at all times?`, `${site} will open even while there is trouble.`),
      confirm: 'Let it open',
    }),
  },
  saved: 'Saved. Changes can take up to an hour to reach your computers.',
} as const;
