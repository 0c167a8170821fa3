import type { FourParts } from '@porchlight/contract/detections.ts';
import type { Category, Certainty } from '@porchlight/contract/shapes.ts';
import { type AtComputer, whom } from '../../lib/at-computer.ts';
import type { DefinitionHelp } from '../../ports.ts';

interface Told {
  name: string;
  category: Category;
  site: boolean;
  blocked: boolean;
  certainty: Certainty;
}

export const generalHelp: Record<Category, DefinitionHelp> = {
  RemoteControl: {
    what_it_is: 'A program like this lets someone else see and use the computer. Scammers often ask people to install one.',
    what_to_do:
      'If someone on the phone asked for this, hang up. Do not call back the number they gave. If a bank page was open, call the bank on the number on the card.',
  },
  DeceptiveUtility: {
    what_it_is: 'A program like this shows false warnings to make people pay for help they do not need.',
    what_to_do: 'Do not pay and do not call a number that it shows. If you paid already, call the bank on the number on the card.',
  },
  ScamWebsite: {
    what_it_is: 'A page like this is made to take money or passwords.',
    what_to_do: 'Close the page. If you typed a password or a card number there, change the password and call the bank.',
  },
};

/** The four parts of an alert on a screen. `at`: whom the reader can call at that computer; null where the reader uses it (P8.2). */
export function explain(told: Told, device: string, help: DefinitionHelp | undefined, at: AtComputer | null): FourParts {
  const { what_it_is, what_to_do } = help ?? generalHelp[told.site ? 'ScamWebsite' : told.category];
  return {
    what_happened: `${happened(told, device)} ${what_it_is}`,
    what_we_did: did(told),
    is_it_over: over(told, at),
    what_to_do: at ? `Call ${whom(at)}. A scammer may be on the phone. Say: ${say(told)}` : what_to_do,
  };
}

/** What to say to someone who may have the scammer on the phone: first that it is not their fault, then the one thing that stops it. */
export function say({ site, blocked }: Pick<Told, 'site' | 'blocked'>): string {
  const stop = site && blocked ? 'close that page' : 'turn the computer off';
  return `“You did nothing wrong. Hang up, and ${stop}. I’m with you.”`;
}

/** One sentence: what happened, where. */
export function happened(told: Told, device: string): string {
  if (told.site)
    return told.blocked
      ? `Something on ${device} tried to open a page of ${told.name}.`
      : `A page of ${told.name} was opened on ${device}.`;
  return told.certainty === 'likely'
    ? `A program that looks like ${told.name} was started on ${device}.`
    : `${told.name} was started on ${device}.`;
}

export function did(told: Told): string {
  if (told.blocked && told.site) return 'We kept the page from opening, and we do so again if somebody tries again.';
  if (told.blocked) return 'We closed it right away, and we close it again if it is started again.';
  return 'We saw it but did not stop it.';
}

export function over(told: Told, at: AtComputer | null): string {
  const computer = at ? 'that computer' : 'this computer';
  if (told.blocked && told.site) return `Yes, on ${computer}. We keep watching.`;
  if (told.site) return 'No. It may still be open.';
  if (told.blocked) return 'Yes, as long as nobody starts it again. We keep watching.';
  if (told.category !== 'RemoteControl') return 'No. It may still be running.';
  const now = `No. Someone may be able to see and use ${computer} right now.`;
  return at ? now : `${now} Switch it off if you did not ask for this.`;
}

/** `AnyDesk was blocked on Den PC`, `Not blocked: AnyDesk on Den PC`; the subject of the email and the title of the row. */
export function title(told: Told, device: string): string {
  const name = told.certainty === 'likely' ? `What looks like ${told.name}` : told.name;
  return told.blocked ? `${name} was blocked on ${device}` : `Not blocked: ${name} on ${device}`;
}
