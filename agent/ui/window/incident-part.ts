import type { Incident } from '../../ports.ts';
import { calmMessages } from '../messages/calm-screen.ts';
import { messages } from '../messages/messages.ts';
import { button, escape, form, paragraph } from './html.ts';
import type { WindowState } from './state.ts';

export function headline({ match, kind, blocked }: Incident): string {
  return (blocked ? calmMessages.stopped : calmMessages.notStopped)[kind](match);
}

/**
 * What the person is to do first. Whoever had the program started may still be on the phone, so only what no caller needs, a page that was kept from
 * opening, leaves them safe.
 */
function firstOf({ match, kind, blocked }: Incident): keyof typeof calmMessages.first {
  const remote = match.category === 'RemoteControl';
  if (blocked) return kind === 'program' || remote ? 'hangUp' : 'safe';
  return kind === 'site' ? 'close' : remote ? 'off' : 'quit';
}

/** The calm screen: what to do, whom to call and who knows; behind that what happened, what we did, is it over, what to do now (P4.4). */
export function incidentPart(incident: Incident, state: WindowState, proof: string): string {
  const { match, kind, blocked, times, last, what_to_do } = incident;
  const first = firstOf(incident);
  const told = calmMessages.told(state.knows);
  const part = (title: string, ...texts: string[]) => `<dt>${escape(title)}</dt><dd>${texts.filter(Boolean).map(paragraph).join('')}</dd>`;
  const parts = [
    part(calmMessages.parts.happened, calmMessages.happened[kind](match, last)),
    part(calmMessages.parts.did, calmMessages.did[kind](blocked, times)),
    part(calmMessages.parts.over, calmMessages.over[first]),
    part(calmMessages.parts.now, calmMessages.hangUp, what_to_do),
  ];
  const wish = state.link.state === 'linked' && blocked ? wishPart(match.name, state.link.device, state, proof) : '';
  return [
    `<div class="calm"><h1>${escape(headline(incident))}</h1><p class="first">${escape(calmMessages.first[first])}</p>${paragraph(calmMessages.more[first])}</div>`,
    `<p class="call">${escape(calmMessages.call(state.family))}</p>`,
    told ? `<p class="told">${escape(told)}</p>` : '',
    `<details><summary>${escape(calmMessages.open)}</summary><dl>${parts.join('')}</dl></details>`,
    wish,
  ].join('');
}

/** A wish allows nothing: it is passed on, and the person reads who can say yes. */
function wishPart(name: string, device: string, { asked, family, holder }: WindowState, proof: string): string {
  const owner = messages.owner.first(holder);
  if (asked)
    return `<section role="status">${paragraph(calmMessages.asked(name, family, owner))}${paragraph(calmMessages.askedHow(name, device, owner))}</section>`;
  return `<section>${paragraph(calmMessages.askMore(name, family, owner))}${form('ask', proof, button(calmMessages.ask, 'quiet'))}</section>`;
}
