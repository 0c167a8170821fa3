import type { IncidentOpener } from '@porchlight/contract/incidents.ts';

/** How an incident began, a sentence for everyone. `what`: the program's name; null if there is none. */
export const openerWords: Record<IncidentOpener, (what: string | null, device: string) => string> = {
  started: (what, device) => `${what ?? 'A remote-control program'} was started on ${device}.`,
  allowed_started: (what, device) => `${what ?? 'A remote-control program'} was allowed, and then started on ${device}.`,
  weaker_started: (what, device) => `The protection of ${device} was lowered, and then ${what ?? 'a remote-control program'} was started.`,
  pin_locked: (_what, device) => `Someone entered wrong PINs on ${device}.`,
  asked: (what, device) => `Someone at ${device} asked for ${what ?? 'what we stopped'}.`,
  second_act: (_what, device) => `Two changes to your protection came within an hour. They are about ${device}.`,
  help: (_what, device) => `Someone at ${device} pressed “I need help now”.`,
  guardian_stop: (what, _device) => `${what ?? 'A guardian'} pressed “Stop this”.`,
};

export const detectionWords = (name: string, blocked: boolean, site: boolean, times: number): string => {
  const often = times > 1 ? ` ${times} times` : '';
  if (site) return blocked ? `We blocked ${name}${often}.` : `${name} was opened${often}. We did not block it.`;
  return blocked ? `We stopped ${name}${often}.` : `${name} ran. We did not stop it.`;
};

export const eventWords = {
  on_it: (name: string) => `${name} is on it.`,
  mine: (name: string) => `${name} said: “It was me.”`,
  over: (name: string) => `${name} said that it’s over.`,
  over_asked: (name: string) => `${name} wants to end this.`,
  stop: (name: string) => `${name} stopped everything on the list, on every computer.`,
  isolated: (name: string) => `${name} cut the internet on this computer.`,
  reconnected: (name: string) => `Someone at ${name} connected it to the internet again.`,
  code_shown: (name: string) => `${name} opened a code for this computer.`,
  how: { fine: 'nothing was lost', helped: 'it was caught in time', lost_money: 'money was lost' },
  ended: 'This ended, because nothing more happened for a day.',
  passed: (sentence: string) => `Nobody answered, and it was done with the password: ${sentence}`,
  done: (sentence: string) => `After the yes it was done: ${sentence}`,
  undone: (sentence: string) => `The no took it back: ${sentence}`,
  lifted: (sentence: string) => `Support let it through: ${sentence}`,
  done_lifted: (sentence: string) => `After that it was done: ${sentence}`,
} as const;
