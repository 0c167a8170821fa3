import { brandOf } from '@porchlight/contract/unlisted-protection.ts';
import type { Incident } from '../../ports.ts';
import { calmMessages } from '../messages/calm-screen.ts';
import { messages } from '../messages/messages.ts';
import { pausedSiteMessages } from '../messages/paused-site.ts';
import { helpPart } from './help-page.ts';
import { button, escape, form, paragraph } from './html.ts';
import { pausedSitePart } from './paused-site-part.ts';
import type { WindowState } from './state.ts';

type Waits = 'start' | 'money' | null;

/** What waits for a yes, and about which the guardians are asked already (P12.3, P12.4, P12.6). */
function waitsOf({ match: { category }, blocked }: Incident): Waits {
  if (!blocked) return null;
  if (category === 'MoneySite') return 'money';
  return category === 'PastedCommand' || category === 'NewProgram' ? 'start' : null;
}

export function headline(incident: Incident, relatives: string[]): string {
  const { match, kind, blocked } = incident;
  const waits = waitsOf(incident);
  if (match.category === 'PausedSite') return pausedSiteMessages.title(brandOf(match.why));
  if (waits) return waits === 'money' ? calmMessages.waiting.title.money(relatives) : calmMessages.waiting.title.start(match);
  return (blocked ? calmMessages.stopped : calmMessages.notStopped)[kind](match);
}

/** The text says what to do first. Only a blocked page is called safe: for programs a scammer may still be on the phone. */
function firstOf({ match, kind, blocked }: Incident): keyof typeof calmMessages.first {
  const remote = match.category === 'RemoteControl';
  if (match.category === 'MoneySite') return 'hangUp';
  if (blocked) return kind === 'program' || remote ? 'hangUp' : 'safe';
  return kind === 'site' ? 'close' : remote ? 'off' : 'quit';
}

const allowPart = (name: string, { relatives }: WindowState, proof: string) =>
  `<details><summary>${escape(messages.lock.allowTitle(relatives))}</summary>${paragraph(messages.lock.allowMore(name))}${form('allow', proof, `<label for="allow-code">${escape(messages.lock.label(relatives))}</label><input id="allow-code" name="pin" inputmode="numeric" autocomplete="off" maxlength="20" required aria-describedby="allow-where"><p class="soft" id="allow-where">${escape(messages.lock.where(relatives))}</p>${button(messages.lock.allow(name), 'quiet')}`)}</details>`;

/** The calm screen: what to do, whom to call and who was notified; then four details (P4.4). */
export function incidentPart(incident: Incident, state: WindowState, proof: string): string {
  const { match, kind, blocked, start = 'waits', last, what_to_do } = incident;
  const waits = waitsOf(incident);
  const isPaused = match.category === 'PausedSite';
  const firstAction = firstOf(incident);
  const notified = calmMessages.notified(state.knows);
  const detailItem = (title: string, ...texts: string[]) =>
    `<dt>${escape(title)}</dt><dd>${texts.filter(Boolean).map(paragraph).join('')}</dd>`;
  const detailItems = [
    detailItem(
      calmMessages.parts.happened,
      waits === 'money' ? calmMessages.waiting.happened.money(last) : calmMessages.happened[kind](match, last),
      isPaused ? pausedSiteMessages.why(brandOf(match.why)) : '',
    ),
    detailItem(calmMessages.parts.did, whatWeDid(incident, state.relatives)),
    detailItem(calmMessages.parts.over, waits ? calmMessages.waiting.over[waits] : calmMessages.over[firstAction]),
    detailItem(calmMessages.parts.now, calmMessages.hangUp, what_to_do),
  ];
  const { link } = state;
  // A yes can allow a program. A scam page is opened by the allow list alone, which is the owner's.
  const answerable = match.category === 'ScamWebsite' ? [] : state.relatives;
  const request =
    link.state === 'linked' && blocked && !waits && !isPaused
      ? requestPart(match.name, link.device, { ...state, relatives: answerable }, proof)
      : '';
  return [
    `<div class="calm"><h1>${escape(headline(incident, state.relatives))}</h1><p class="first">${escape(calmMessages.first[firstAction])}</p>${paragraph(calmMessages.more[firstAction])}</div>`,
    `<p class="call">${escape(calmMessages.call(state.relatives))}</p>`,
    notified ? `<p class="told">${escape(notified)}</p>` : '',
    helpPart(proof),
    `<details><summary>${escape(calmMessages.open)}</summary><dl>${detailItems.join('')}</dl></details>`,
    waits
      ? `<section role="status">${paragraph(start === 'waits' ? calmMessages.waiting.asked(state.relatives, state.knows.kind === 'offline') : calmMessages.waiting.answered)}</section>`
      : '',
    isPaused ? pausedSitePart(state, proof) : request,
    request && kind === 'program' && state.relatives.length ? allowPart(match.name, state, proof) : '',
  ].join('');
}

function whatWeDid(incident: Incident, relatives: string[]): string {
  const { kind, blocked, start = 'waits', times } = incident;
  const waits = waitsOf(incident);
  if (waits) return waits === 'money' ? calmMessages.waiting.did.money : calmMessages.waiting.did.start(start, relatives, times);
  return calmMessages.did[kind](blocked, times);
}

/** The button allows nothing: the request is reported, and the text says who can allow the program. */
function requestPart(name: string, device: string, { asked, relatives, holder, knows }: WindowState, proof: string): string {
  const owner = messages.owner.first(holder);
  if (asked)
    return `<section role="status">${paragraph(calmMessages.asked(name, relatives, owner, knows.kind === 'offline'))}${paragraph(calmMessages.askedHow(name, device, relatives, owner))}</section>`;
  return `<section>${paragraph(calmMessages.askMore(name, relatives, owner))}${form('ask', proof, button(calmMessages.ask, 'quiet'))}</section>`;
}
