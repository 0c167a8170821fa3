import { button, escape, form, paragraph } from './html.ts';
import type { Incident } from './incidents.ts';
import type { WindowState } from './state.ts';
import { words } from './words.ts';

export function headline({ match, kind, blocked }: Incident): string {
  return (blocked ? words.stopped : words.notStopped)[kind](match);
}

/** The calm screen: what happened, what we did, is it over, what to do now (P4.4). */
export function incidentPart(incident: Incident, state: WindowState, proof: string): string {
  const { match, kind, blocked, times, last, what_to_do } = incident;
  const part = (title: string, ...texts: string[]) => `<dt>${escape(title)}</dt><dd>${texts.filter(Boolean).map(paragraph).join('')}</dd>`;
  const parts = [
    part(words.parts.happened, words.happened[kind](match, last)),
    part(words.parts.did, words.did[kind](blocked, times, state.told)),
    part(words.parts.over, words.over[kind](blocked)),
    part(words.parts.now, words.hangUp, what_to_do),
  ];
  const call = state.family.length ? `<p><strong>${escape(words.call(state.family))}</strong></p>` : '';
  const wish = state.link.state === 'linked' && blocked ? wishPart(match.name, state.link.device, state.asked, proof) : '';
  return `<div><h1>${escape(headline(incident))}</h1>${blocked ? paragraph(words.safe) : ''}</div><section><dl>${parts.join('')}</dl>${call}</section>${wish}`;
}

/** A wish allows nothing: it is told, and the person hears who can say yes. */
function wishPart(name: string, device: string, asked: boolean, proof: string): string {
  if (asked) return `<section role="status">${paragraph(words.asked)}${paragraph(words.askedHow(name, device))}</section>`;
  return `<section>${paragraph(words.askMore)}${form('ask', proof, button(words.ask, 'quiet'))}</section>`;
}
