import { counted } from '@porchlight/contract/language.ts';
import { limits } from '@porchlight/contract/limits.ts';
import type { Category, PolicyAction } from '@porchlight/contract/shapes.ts';
import { config } from '../../lib/config.ts';

const family = config.features.guardians ? 'you and your guardians' : 'you';

const programs: Record<PolicyAction, string> = {
  block: `We stop them at once, and tell ${family}.`,
  alert: `They keep running. We tell ${family}.`,
  ignore: 'They keep running, and we don’t tell anyone.',
};

const devices = (n: number) => counted(n, 'device');

export const messages = {
  list: {
    heading: 'Protection profiles',
    lead: 'Strict and Permissive are always there. A profile of your own decides for each kind of threat what we do.',
    none: 'You have not made a profile of your own. Most people never need one.',
    make: 'Make your own profile',
    label: 'Your own profiles',
    full: `You have ${limits.policies_max} profiles, and there cannot be more. Remove one to make another.`,
    usedBy: (n: number) => (n === 0 ? 'No device has it' : `${devices(n)} ${n === 1 ? 'has' : 'have'} it`),
    edit: 'Edit',
    editName: (name: string) => `Edit ${name}`,
    remove: 'Remove',
    removeName: (name: string) => `Remove ${name}`,
    ask: 'Remove this profile?',
    askBody: (name: string, n: number) =>
      `${name} is gone then. ${n === 0 ? 'No device has it.' : `${devices(n)} ${n === 1 ? 'goes' : 'go'} back to Strict.`}`,
    removed: (name: string) => `${name} was removed.`,
  },
  choose: 'Protection profile',
  home: 'Back to dashboard',
  toList: 'Back to your profiles',
  toSetup: 'Back to adding a device',
  make: { heading: 'Make your own profile', save: 'Save profile' },
  change: {
    heading: (name: string) => `Change ${name}`,
    save: 'Save profile',
    saved: 'Profile saved. Changes can take up to an hour to reach your devices.',
  },
  name: 'Name of the profile',
  nameHint: 'So that everyone knows what it is for. For example: Grandson helps.',
  nameNeeded: 'Please enter a name',
  nameDefault: 'A name cannot end with (Default). Please choose another one.',
  action: { block: 'Block', alert: 'Tell me', ignore: 'Ignore' } satisfies Record<PolicyAction, string>,
  category: {
    RemoteControl: {
      legend: 'Remote-control programs',
      hint: 'With them someone far away sees the screen and moves the mouse. For example AnyDesk or TeamViewer.',
      means: programs,
    },
    DeceptiveUtility: {
      legend: 'Deceptive programs',
      hint: 'They find trouble that is not there, and want money to repair it.',
      means: programs,
    },
    ScamWebsite: {
      legend: 'Scam websites',
      hint: 'They pretend to be a bank, a shop or the police.',
      means: {
        block: `We keep them from opening, and tell ${family}.`,
        alert: `They open. We tell ${family}.`,
        ignore: 'They open, and we don’t tell anyone.',
      },
    },
  } satisfies Record<Category, { legend: string; hint: string; means: Record<PolicyAction, string> }>,
  notBlocked:
    'Phone scammers get in with a remote-control program. With this choice we do not stop one. Do you need just one program? Choose Block, and add that one to the Allow List of the device.',
} as const;
