import { brand } from '@porchlight/contract/brand.ts';
import { codeForm, otherAccountPage } from './code-page.ts';
import { escape, link, paragraph } from './html.ts';
import { headline, incidentPart } from './incident-part.ts';
import { pausedPart, pausePage } from './pause-page.ts';
import { settingsPage, uninstallPage } from './settings-page.ts';
import type { WindowState } from './state.ts';
import { style } from './style.ts';
import { words } from './words.ts';

/** Keeps an open page up to date: asks every second, and puts in what is new, without moving what is being read or used. */
export const liveScript = `setInterval(async () => {
  const answer = await fetch('/ui/').catch(() => null);
  if (!answer || !answer.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
  const now = document.querySelector('main');
  if (!next || !now || next.innerHTML === now.innerHTML) return;
  const [clock, then] = [now.querySelector('.clock'), next.querySelector('.clock')];
  if (clock && then) {
    clock.textContent = then.textContent;
    if (next.innerHTML === now.innerHTML) return;
  }
  if (!now.contains(document.activeElement)) now.replaceWith(next);
}, 1000);
`;

/** The pages by their address below /ui/. `proof`: what the forms of this window send back. */
export const pages = {
  '': homePage,
  pause: (state: WindowState, proof: string) => (canPause(state) ? pausePage(proof) : homePage(state, proof)),
  settings: (state: WindowState) => settingsPage(state),
  uninstall: () => uninstallPage(),
  other: (state: WindowState, proof: string) =>
    state.link.state === 'linked' ? otherAccountPage(state.pending, proof) : homePage(state, proof),
} as const;
export type PageName = keyof typeof pages;

/** The whole document. Nothing is written into a script, so nothing on it can be made to run. `notice`: what came of what was pressed last. */
export function windowPage(name: PageName, state: WindowState, proof: string, notice: string | null): string {
  const home = name === '';
  const body = [
    lamp(isCalm(state)),
    // Where it is read first, and after what was pressed.
    notice ? `<p class="note" role="alert">${escape(notice)}</p>` : '',
    pages[name](state, proof),
    home ? '' : `<nav aria-label="${words.back}">${link('/ui/', words.back)}</nav>`,
    `<p class="soft">${escape(words.never)}<br>${escape(words.support)}</p>`,
  ];
  // While a code is being typed nothing must be taken from under the hand.
  const live = home && state.link.state === 'linked';
  const title = home && state.incident ? headline(state.incident) : brand.name;
  const still = live ? '<noscript><meta http-equiv="refresh" content="10"></noscript>' : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title>${still}<style>${style}</style></head><body><main>${body.join('')}</main>${live ? '<script src="/ui/live.js"></script>' : ''}</body></html>`;
}

const isCalm = ({ incident, link: { state }, paused_for }: WindowState) =>
  paused_for === 0 && (incident ? incident.blocked : state === 'linked' || state === 'free');

const canPause = ({ link: { state }, paused_for }: WindowState) => state === 'linked' && paused_for === 0;

/** Protected or not, in one sentence; or the calm screen, when something happened. */
function homePage(state: WindowState, proof: string): string {
  const { incident, link: linked, paused_for } = state;
  return [
    paused_for > 0 && !incident ? '' : incident ? incidentPart(incident, state, proof) : statusPart(state),
    paused_for > 0 ? pausedPart(paused_for, proof, incident ? 'h2' : 'h1') : '',
    linked.state === 'linked' ? '' : codeForm(proof),
    ...state.limitations.map((sentence) => `<p class="soft">${escape(sentence)}</p>`),
    `<nav aria-label="${brand.name}">${canPause(state) ? link('/ui/pause', words.pause.open) : ''}${link('/ui/settings', words.settings.open)}</nav>`,
  ].join('');
}

function statusPart({ link: linked }: WindowState): string {
  const [title, more] = {
    linked: [words.protected, words.protectedMore(linked.state === 'linked' ? linked.device : '')],
    unlinked: [words.unlinked, words.unlinkedMore],
    free: [words.free, words.freeMore],
    removed: [words.removed, words.removedMore],
  }[linked.state] as [string, string];
  return `<div><h1>${escape(title)}</h1>${paragraph(more)}</div>`;
}

function lamp(lit: boolean): string {
  return `<svg viewBox="0 0 64 80" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M32 4v6M13 25 32 11l19 14"/><path d="M17 27h30l-4 33H21z"${lit ? ' fill="var(--lamp)"' : ''}/><path d="M24 67h16M28 75h8"/></svg>`;
}
