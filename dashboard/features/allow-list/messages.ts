import type { AllowingOutlook, AllowListEntryType } from '@porchlight/contract/allow-list.ts';
import type { Category } from '@porchlight/contract/shapes.ts';

const asks = 'For the first hour we stop it when it starts, and ask your guardians.';

/** 4.37; agents apply changes in seconds, unless the computer is asleep or offline (P4.8). */
const soon = 'Changes can take up to an hour, or take effect right away after restarting the device.';

export const messages = {
  tab: 'Allow List',
  lead: 'What is on this list is not blocked on this device, unless its row says so.',
  warning: 'Anyone (including scammers) will be able to use items you add here. Please use caution.',
  open: 'Add To Allow List',
  empty: 'You have not added any allowed websites or programs.',
  list: 'Allowed websites and programs',
  type: { domain: 'Website', definition: 'Program' } satisfies Record<AllowListEntryType, string>,
  since: (when: string) => `Allowed since ${when}`,
  midnight: 'midnight',
  until: (when: string | null) => (when ? `until ${when}` : 'until you remove it'),
  asks: (when: string) => `Until ${when}: if it starts, we stop it and ask your guardians first.`,
  waits: (when: string) => `Added ${when}. It was started, and we stopped it. It stays off until someone says yes.`,
  refused: (by: string, when: string) => `${by} said no ${when}, so it isn’t allowed.`,
  dismiss: 'Take off the list',
  remove: 'Remove',
  added: (name: string, isAsked: boolean) => `${name} is on the allow list now. ${isAsked ? `${asks} ` : ''}${soon}`,
  removed: (name: string) => `${name} is no longer on the allow list. ${soon}`,
  search: 'Website or program',
  searchHint: 'For example: example.com, or the name of a program.',
  found: (n: number) => (n === 1 ? '1 found' : `${n} found`),
  nothing: 'We found no program of that name. A website looks like example.com.',
  meant: (website: string) => `Did you mean ${website}?`,
  offer: {
    domain: 'Add this website to your allow list',
    DeceptiveUtility: 'Add this program to your allow list',
    RemoteControl: 'Add this remote control program to your allow list',
    ScamWebsite: 'Add this program to your allow list',
  } satisfies Record<Category | 'domain', string>,
  already: {
    domain: (name: string) => `This device is already allowed to access ${name}`,
    definition: (name: string) => `This device is already allowed to use ${name}`,
  } satisfies Record<AllowListEntryType, (name: string) => string>,
  notLoaded: 'Failed to load the list of allowable programs',
  again: 'Try again',
  lasts: 'A program: for how long?',
  choices: [
    { value: null, words: 'until I remove it' },
    { value: 'hour', words: 'for 1 hour' },
    { value: 'today', words: 'today' },
  ],
  ask: {
    heading: (name: string) => `Allow ${name}?`,
    body: (name: string) =>
      `With ${name}, someone far away can see and use this computer. Scammers ask for it on the phone. If someone who called you wants this, press Cancel, hang up, and talk to a person you trust.`,
    /** What happens then (P15.2). */
    outlook: {
      runs: 'It can start at once.',
      runs_with_password: 'It can start at once.',
      asks,
      waits: 'This change has to wait first, and then it lasts an hour.',
      may_wait: 'You changed something within the last hour, so this change may have to wait first. Then it lasts an hour.',
    } satisfies Record<AllowingOutlook, string>,
    canStay: 'They can let it stay.',
    confirm: (name: string) => `Allow ${name}`,
    password: (name: string) => `Enter your password to allow ${name}. So we know it’s you.`,
  },
  cancel: 'Cancel',
  soon,
  hour: {
    allow: 'Allow for an hour',
    no: 'No',
    asked: (name: string, device: string) =>
      `Someone at ${device} asked to use ${name}. It is still blocked. Call them first, and ask who wants it.`,
    refused: (name: string, device: string) => `${name} stays blocked on ${device}.`,
    allowed: (name: string, device: string, untilText: string) => `${name} is allowed on ${device} ${untilText}.`,
    waits: (name: string) => `${name} was allowed, but it is off until someone says yes.`,
    list: 'See the allow list',
  },
} as const;
