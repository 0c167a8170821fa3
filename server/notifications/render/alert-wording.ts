import type { FourParts } from '@porchlight/contract/detections.ts';
import { inSentence } from '@porchlight/contract/names.ts';
import type { Certainty, DetectionCategory } from '@porchlight/contract/shapes.ts';
import { type AtComputer, nameOrThePerson } from '../../texts/at-computer.ts';

export interface DefinitionHelp {
  what_it_is: string;
  what_to_do: string;
}

interface AlertSubject {
  name: string;
  category: DetectionCategory;
  site: boolean;
  blocked: boolean;
  certainty: Certainty;
  /** Nobody is on the line (P15.9). */
  quiet?: boolean | undefined;
}

type StateFacts = Pick<AlertSubject, 'blocked' | 'site' | 'category' | 'quiet'>;

export const generalHelp: Record<DetectionCategory, DefinitionHelp> = {
  RemoteControl: {
    what_it_is: 'A program like this lets someone else see and use the computer. Scammers often ask people to install one.',
    what_to_do:
      'If someone on the phone asked for this, hang up. Do not call back the number they gave. If a bank page was open, call the bank. Use the number on the card.',
  },
  DeceptiveUtility: {
    what_it_is: 'A program like this shows false warnings to make people pay for help they do not need.',
    what_to_do: 'Do not pay and do not call a number that it shows. If you paid already, call the bank. Use the number on the card.',
  },
  ScamWebsite: {
    what_it_is: 'Pages like this take money or passwords.',
    what_to_do: 'Close the page. If you typed a password or a card number there, change the password and call the bank.',
  },
  PastedCommand: {
    what_it_is: 'Scam pages ask people to paste a line that fetches a program and starts it. No real page asks for that.',
    what_to_do:
      'Close the page that asked for it. If someone on the phone asked for it, hang up. If it ran, call the bank from a phone. Use the number on the card.',
  },
  NewProgram: {
    what_it_is: 'It came from the internet and has never run on this computer.',
    what_to_do: 'If someone on the phone or a web page asked for it, hang up and delete it. If you wanted it, ask for a yes.',
  },
  Door: {
    what_it_is: 'Scammers open such ways into a computer, so that they can come back.',
    what_to_do: 'If nobody you know did this, hang up the phone, and have someone you trust look at the computer.',
  },
  MoneySite: {
    what_it_is: 'Bank and money pages rest while a stranger may be at the computer.',
    what_to_do: 'If someone on the phone asked for it, hang up. To reach the bank, call the number on the card.',
  },
  PausedSite: {
    what_it_is: 'It is on no list, and looks like a scam site to us.',
    what_to_do: 'If someone on the phone or a message asked for it, leave it closed. Type the address of the real site yourself.',
  },
};

/** For a site of a remote-control program, the advice is about sites. */
export const generalHelpOf = ({ site, category }: Pick<AlertSubject, 'site' | 'category'>): DefinitionHelp =>
  generalHelp[site && category !== 'PausedSite' ? 'ScamWebsite' : category];

/** `at`: whom the reader can call at that computer; null if the reader uses it (P8.2). */
export function explain(alert: AlertSubject, device: string, help: DefinitionHelp | undefined, user: AtComputer | null): FourParts {
  const { what_it_is, what_to_do } = help ?? generalHelpOf(alert);
  return {
    what_happened: `${describeEvent(alert, device)} ${what_it_is}`,
    what_we_did: describeReaction(alert),
    is_it_over: describeState(alert, user),
    what_to_do: !user
      ? what_to_do
      : alert.quiet
        ? quietAdvice(user.name)
        : `Call ${nameOrThePerson(user)}. A scammer may be on the phone. Say: ${quoteAdvice(alert)}`,
  };
}

/** A caller says first that it is not the user's fault, and then the one action that stops the scammer. */
export function quoteAdvice({ site, blocked }: Pick<AlertSubject, 'site' | 'blocked'>): string {
  const stop = site && blocked ? 'close that page' : 'turn the computer off';
  return `“You did nothing wrong. Hang up, and ${stop}. I’m with you.”`;
}

/** `name`: of whom the reader would ask; empty if nobody knows who uses the computer, null if the reader does. */
export const quietAdvice = (name: string | null): string =>
  name === null
    ? 'Nothing, unless someone on the phone asked for this. Then hang up.'
    : `Nothing now. Next time you talk, ask ${name || 'them'} whether someone called about it.`;

/** What happened, and on which device. */
export function describeEvent(alert: AlertSubject, device: string): string {
  if (alert.category === 'MoneySite') return `Someone on ${device} tried to open a money page.`;
  if (alert.category === 'PausedSite') return `Someone on ${device} wanted to open the paused page ${alert.name}.`;
  if (alert.category === 'Door') return `Someone opened a way into ${device}: ${inSentence(alert.name)}.`;
  if (alert.category === 'NewProgram') return `A new program was started on ${device}: ${alert.name}.`;
  if (alert.site)
    return alert.blocked
      ? `Something on ${device} tried to open a page of ${alert.name}.`
      : `A page of ${alert.name} was opened on ${device}.`;
  return alert.certainty === 'likely'
    ? `What looks like ${alert.name} was started on ${device}.`
    : `${alert.name} was started on ${device}.`;
}

export function describeReaction(alert: AlertSubject): string {
  if (alert.category === 'Door') return alert.blocked ? 'We closed it again.' : 'We did not change it.';
  if (!alert.blocked) return 'We did not stop it.';
  if (alert.category === 'MoneySite') return 'We kept it from opening.';
  if (alert.category === 'PausedSite') return 'It stays paused.';
  if (alert.category === 'PastedCommand' || alert.category === 'NewProgram') return 'It can’t run without a yes.';
  return alert.site ? 'We kept it from opening.' : 'We closed it right away.';
}

/** Whether it is over, and why. What was stopped is not over while the scammer may still be on the phone. */
export function stateInParts({ blocked, site, category, quiet }: StateFacts, user: AtComputer | null): { answer: string; reason: string } {
  const [whom, computer] = user ? [user.name || 'them', 'that computer'] : ['you', 'this computer'];
  if (blocked && (site || quiet)) return { answer: `Yes, if nobody is on the phone with ${whom}.`, reason: '' };
  if (blocked)
    return { answer: `Not while someone is on the phone with ${whom}.`, reason: 'If anyone opens it again, we’ll stop it again.' };
  if (site) return { answer: 'No.', reason: 'It may still be open.' };
  if (category === 'Door') return { answer: 'No.', reason: 'It is still open.' };
  return {
    answer: 'No.',
    reason: category === 'RemoteControl' ? `Someone may be using ${computer} right now.` : 'It may still be running.',
  };
}

export function describeState(alert: StateFacts, user: AtComputer | null): string {
  const { answer, reason } = stateInParts(alert, user);
  const isOpen = !alert.blocked && !alert.site && alert.category === 'RemoteControl';
  return [answer, reason, isOpen && !user ? 'Turn the computer off if you didn’t ask for this.' : ''].filter(Boolean).join(' ');
}

/** `AnyDesk was blocked on Den PC`, `Not blocked: AnyDesk on Den PC` */
export function title(alert: AlertSubject, device: string): string {
  const name = alert.certainty === 'likely' ? `What looks like ${alert.name}` : alert.name;
  return alert.blocked ? `${name} was blocked on ${device}` : `Not blocked: ${name} on ${device}`;
}
