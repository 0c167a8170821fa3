import { brand } from '@porchlight/contract/brand.ts';
import { isNotInstalled } from '@porchlight/contract/limitations.ts';
import { messages } from '../messages/messages.ts';
import { diskScanPart, foundPage } from './found-page.ts';
import { helpingPart, helpPage, helpPart, isolationPart, stopPart } from './help-page.ts';
import { button, escape, form, link, paragraph } from './html.ts';
import { headline, incidentPart } from './incident-part.ts';
import { accountChangePart, ownerPart, questionPart } from './owner-part.ts';
import { asksPin, canPause, pausedPart, pausePage } from './pause-page.ts';
import { settingsPage, uninstallPage } from './settings-page.ts';
import type { WindowState } from './state.ts';
import { style } from './style.ts';

/** Refreshes an open page every second without disturbing input or focus, and says so when the agent does not answer. */
export const liveScript = `let unanswered = 0;
setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch('./').catch(() => null);
  unanswered = answer && answer.ok ? 0 : unanswered + 1;
  if (unanswered === 3) {
    const old = document.createElement('p');
    old.className = 'note';
    old.setAttribute('role', 'alert');
    old.textContent = document.body.dataset.old;
    document.querySelector('main').prepend(old);
  }
  if (unanswered > 0) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [now, next] = [document.querySelector('main'), page.querySelector('main')];
  for (const [index, part] of [...now?.querySelectorAll('details') ?? []].entries()) {
    const same = next?.querySelectorAll('details')[index];
    if (same && same.firstChild.textContent === part.firstChild.textContent) same.open = part.open;
  }
  if (!now || !next || now.innerHTML === next.innerHTML) return;
  const [clock, then] = [now.querySelector('.clock'), next.querySelector('.clock')];
  if (clock && then) {
    clock.textContent = then.textContent;
    if (now.innerHTML === next.innerHTML) return;
  }
  const focused = document.activeElement;
  const inputs = [...now.querySelectorAll('input:not([type=hidden])')];
  if (inputs.some((input) => input === focused || input.value !== input.defaultValue)) return;
  const index = now.contains(focused) ? [...now.querySelectorAll('a, button, summary')].findIndex((one) => one === focused) : -1;
  now.replaceWith(next);
  document.title = page.title;
  next.querySelector('[autofocus]')?.focus();
  const same = [...next.querySelectorAll('a, button, summary')].find((one) => one.outerHTML === focused.outerHTML);
  if (index >= 0 && same) same.focus();
}, 1000);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') document.querySelector('[data-escape]')?.click();
});
`;

type Page = (state: WindowState, proof: string, code: string) => string;

export const pages: Record<'' | 'pause' | 'found' | 'settings' | 'uninstall' | 'other' | 'help', Page> = {
  '': homePage,
  pause: (state, proof, code) => (canPause(state) ? pausePage(state, proof) : homePage(state, proof, code)),
  found: (state, proof) => foundPage(state.diskScan, { ...state, asks: asksPin(state) }, proof),
  help: helpPage,
  settings: settingsPage,
  uninstall: uninstallPage,
  other: (state, proof, code) => (state.link.state === 'linked' ? otherAccountPage(proof, code) : homePage(state, proof, code)),
};
export type PageName = keyof typeof pages;

export interface Notice {
  messages: string;
  kind: 'done' | 'failed';
  code: string;
}

/** The whole page. No data is inserted into scripts. */
export function windowPage(name: PageName, state: WindowState, proof: string, notice: Notice | null): string {
  const isHome = name === '';
  const body = [
    lamp(isCalm(state)),
    notice ? noticePart(notice) : '',
    pages[name](state, proof, notice?.code ?? ''),
    ownerPart(state),
    isHome ? '' : `<nav aria-label="${messages.back}">${link('./', messages.back)}</nav>`,
    `<p class="soft">${escape(messages.never)}<br>${messages.support.map((text) => `<span>${escape(text)}</span>`).join(' ')}</p>`,
  ];
  const title =
    isHome && state.question
      ? messages.question.title(state.question.holder)
      : isHome && state.incident && state.paused_for === 0
        ? headline(state.incident, state.relatives)
        : brand.name;
  const refreshTag =
    isHome && !state.question && state.link.state === 'linked' ? '<noscript><meta http-equiv="refresh" content="10"></noscript>' : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title>${refreshTag}<style>${style}</style></head><body data-old="${escape(messages.oldPage)}"><main>${body.join('')}</main>${isHome ? '<script src="live.js"></script>' : ''}</body></html>`;
}

/** Success and failure differ in shape, not by colour alone. */
function noticePart({ kind, messages: text }: Notice): string {
  const shape = kind === 'failed' ? '<path d="M12 3 2 21h20z"/><path d="M12 10v5M12 18v.1"/>' : '<path d="m4 13 5 5L20 6"/>';
  return `<div class="note ${kind}"><svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg><p role="${kind === 'failed' ? 'alert' : 'status'}">${escape(text)}</p></div>`;
}

const isCalm = ({ incident, link: { state }, protects, paused_for, question, cannot }: WindowState) =>
  paused_for === 0 && !question && (incident ? incident.blocked : protects !== null && state !== 'removed' && !cannot.length);

function homePage(state: WindowState, proof: string, code: string): string {
  const { incident, link: linked, paused_for, question } = state;
  const nav = `<nav aria-label="${brand.name}">${canPause(state) && !incident ? link('pause', messages.pause.open) : ''}${link('settings', messages.settings.open)}</nav>`;
  // While a question is open, the only other button ends a pause, to prevent mistakes.
  if (question) return `${questionPart(question, state, proof)}${paused_for > 0 ? pausedPart(paused_for, proof) : ''}${nav}`;
  return [
    paused_for > 0 ? pausedPart(paused_for, proof) : incident ? incidentPart(incident, state, proof) : statusPart(state),
    incident && paused_for === 0 ? '' : helpPart(proof),
    helpingPart(state, proof),
    isolationPart(state, proof),
    stopPart(state),
    state.away ? `<p class="note">${escape(messages.away(state.away.since, state.now, state.relatives))}</p>` : '',
    state.unknown_for === null ? '' : `<p class="note" role="status">${escape(messages.unknown(state.unknown_for))}</p>`,
    diskScanPart(state.diskScan, state.relatives),
    linked.state === 'linked' ? accountChangePart(state, proof) : codeForm(proof, code),
    limitationsPart(state.limitations),
    nav,
  ].join('');
}

function limitationsPart(sentences: string[]): string {
  if (!sentences.length) return '';
  return `<details><summary>${escape(messages.settings.limits)}</summary>${sentences.map(paragraph).join('')}</details>`;
}

function statusPart({ link: linked, protects, pin_for, cannot }: WindowState): string {
  const device = linked.state === 'linked' ? linked.device : '';
  const [title, details] = {
    linked:
      protects === 'policy' ? [messages.protected, messages.protectedMore(device, !cannot.length)] : [messages.partly, messages.partlyMore],
    unlinked: [messages.unlinked, messages.unlinkedMore],
    free: [messages.free, messages.freeMore],
    removed: [messages.removed, messages.removedMore],
  }[linked.state] as [string, string];
  if (protects === null && linked.state !== 'unlinked')
    return `<div><h1>${escape(linked.state === 'removed' ? title : messages.unlinked)}</h1>${paragraph(messages.waits)}</div>`;
  const sentences = protects === null ? [] : cannot.map((limitation) => messages.cannot[limitation]);
  const howToChange = sentences.length ? messages.cannotMore(isNotInstalled(cannot)) : '';
  // A limitation replaces the sentence that this computer is protected.
  const heading = (protects === 'policy' && sentences.shift()) || title;
  const limits = howToChange && paragraph([...sentences.map((sentence) => `${sentence}.`), howToChange].join(' '));
  return `<div><h1>${escape(heading)}</h1>${limits}${paragraph(details)}${pin_for > 0 ? paragraph(messages.pin.stillAsked(pin_for)) : ''}</div>`;
}

const flame = '<path d="M32 35c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z" fill="#fff4dc" stroke="none"/>';

function lamp(lit: boolean): string {
  return `<svg class="lamp" viewBox="0 0 64 80" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M32 4v6M13 25 32 11l19 14"/><path d="M17 27h30l-4 33H21z"${lit ? ' fill="var(--lamp)"' : ''}/>${lit ? flame : ''}<path d="M24 67h16M28 75h8"/></svg>`;
}

const codeField = (typed: string) =>
  `<label for="code">${messages.code}</label><input class="code" id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" placeholder="ABCD-EFGH" value="${escape(typed)}" required>`;

const codeForm = (proof: string, typed: string, action: 'link' | 'other' = 'link') =>
  `<section>${form(action, proof, `${codeField(typed)}${button(messages.connect)}`)}</section>`;

const otherAccountPage = (proof: string, typed: string): string =>
  `<h1>${escape(messages.otherAccount)}</h1>${paragraph(messages.otherAccountMore)}${codeForm(proof, typed, 'other')}`;
