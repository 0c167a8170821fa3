import type { IncidentOpener } from '../incident-events.ts';
import type { IncidentSummary } from '../incidents.ts';
import { inSentence } from '../names.ts';

/** How an incident began, a sentence for everyone. `what`: the program's name; null if there is none. */
export const openerWords: Record<IncidentOpener, (what: string | null, device: string) => string> = {
  started: (what, device) => `${what ?? 'A remote-control program'} was started on ${device}.`,
  allowed_started: (what, device) => `${what ?? 'A remote-control program'} was allowed, and then started on ${device}.`,
  weaker_started: (what, device) => `The protection of ${device} was lowered, and then ${what ?? 'a remote-control program'} was started.`,
  pin_locked: (_what, device) => `Someone entered wrong PINs on ${device}.`,
  asked: (what, device) => `Someone at ${device} asked for ${what ?? 'what we stopped'}.`,
  second_act: (_what, device) => `There were two changes to the protection within an hour. They are about ${device}.`,
  pasted_command: (what, device) => `${what ?? 'A pasted command'} was started on ${device}.`,
  door: (what, device) => `Someone opened a way into ${device}: ${inSentence(what ?? 'A setting')}.`,
  help: (_what, device) => `Someone at ${device} pressed “I need help now”.`,
  guardian_stop: (what, _device) => `${what ?? 'A guardian'} pressed “Stop this”.`,
};

export const openerSentence = ({ opener, what, device }: Pick<IncidentSummary, 'opener' | 'what'> & { device: { name: string } }): string =>
  openerWords[opener](what, device.name);
