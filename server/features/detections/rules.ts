import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { FourParts } from '@porchlight/contract/detections.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Category, Certainty } from '@porchlight/contract/shapes.ts';
import { type AtComputer, whom } from '../../lib/at-computer.ts';

/** An alert that is open: the detection that opened it. */
export interface OpenAlert {
  uuid: string;
  time: Date;
  blocked: boolean;
}

/**
 * Into which open alert a new detection is counted; null when it opens one of its own (P5.3).
 * `nearby`: alerts of the same definition on the same device. An escalation (not blocked after blocked) always opens one.
 */
export function alertFor(detection: { time: Date; blocked: boolean }, nearby: OpenAlert[]): string | null {
  const open = nearby
    .filter((alert) => Math.abs(alert.time.getTime() - detection.time.getTime()) < serverLimits.alert_grouping)
    .filter((alert) => detection.blocked || !alert.blocked)
    .sort((a, b) => b.time.getTime() - a.time.getTime());
  return open[0]?.uuid ?? null;
}

/** A site, or a program? A family of programs has sites too: of those the name itself is what was seen. */
export function isSite({ name, category, details }: Pick<ReportedDetection, 'name' | 'category' | 'details'>): boolean {
  return category === 'ScamWebsite' || details === name;
}

/** In letters: what is matched is short, and the operator's list stays small whatever a device reports. */
const matchMax = 120;

/** What was matched, and nothing about the person: of a file neither its folder nor what ran beside it, for people have names in their folders. */
export function matchOf(detection: Pick<ReportedDetection, 'name' | 'identifier' | 'category' | 'certainty' | 'details'>) {
  const { name, identifier, category, certainty, details } = detection;
  const path = details.replace(/ \([^()]*[\\/][^()]*\)$/, '');
  const file = isSite(detection) ? '' : (path.split(/[\\/]/).at(-1) ?? '');
  // It is printed on a terminal, and any device may send what it likes.
  const short = (text: string) => text.replace(/\p{C}+/gu, '?').slice(0, matchMax);
  return { identifier: short(identifier), name: short(name), category, certainty, file: short(file) };
}

interface Told {
  name: string;
  category: Category;
  site: boolean;
  blocked: boolean;
  certainty: Certainty;
}

/** What the definition adds in its own words. */
export interface DefinitionHelp {
  what_it_is: string;
  what_to_do: string;
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

/** `AnyDesk was blocked on Den PC`, `Not blocked: AnyDesk on Den PC`; the subject of the mail and the title of the row. */
export function title(told: Told, device: string): string {
  const name = told.certainty === 'likely' ? `What looks like ${told.name}` : told.name;
  return told.blocked ? `${name} was blocked on ${device}` : `Not blocked: ${name} on ${device}`;
}
