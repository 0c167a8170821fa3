import { brand, colors } from '@porchlight/contract/brand.ts';
import type { Incident } from './incidents.ts';
import { words } from './words.ts';

/** What the page shows. */
export interface WindowState {
  link: { state: 'linked'; device: string } | { state: 'unlinked' | 'removed' | 'free' };
  incident: Incident | null;
  family: string[];
  limitations: string[];
  /** What came of the code that was typed last. */
  notice: string | null;
}

const roles = (colours: Record<string, string>) =>
  Object.entries(colours)
    .map(([role, value]) => `--${role}:${value}`)
    .join(';');

const style = `:root{color-scheme:light dark;${roles(colors.light)}}@media(prefers-color-scheme:dark){:root{${roles(colors.dark)}}}
*{box-sizing:border-box;margin:0}body{background:var(--paper);color:var(--ink);font:20px/1.5 "Atkinson Hyperlegible Next",Verdana,sans-serif}
main{max-width:680px;margin:0 auto;padding:32px 16px;display:grid;gap:24px}h1{font-size:34px;line-height:1.2}svg{width:88px;height:110px;color:var(--ink)}
section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:24px;display:grid;gap:16px}dt{font-weight:700}dd{margin:0 0 16px}dd:last-child{margin:0}
label{font-weight:700}input{width:100%;min-height:56px;padding:0 16px;border:2px solid var(--line-strong);border-radius:12px;background:var(--card);color:var(--ink);font:inherit;letter-spacing:.08em;text-transform:uppercase}
button{min-height:56px;padding:0 24px;border:0;border-radius:12px;background:var(--action);color:var(--action-ink);font:inherit;font-weight:700}.note{background:var(--look-soft);color:var(--look);border-radius:12px;padding:16px}
.soft{color:var(--ink-soft);font-size:18px}:focus-visible{outline:3px solid var(--action);outline-offset:2px}`;

/** Keeps an open page up to date: asks every five seconds, and puts in what is new, without moving what is being read. */
export const liveScript = `setInterval(async () => {
  const answer = await fetch('/ui/').catch(() => null);
  if (!answer || !answer.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
  const now = document.querySelector('main');
  if (next && now && next.innerHTML !== now.innerHTML) now.replaceWith(next);
}, 5000);
`;

/** The page as HTML. Nothing is written into a script, so nothing on it can be made to run. */
export function windowPage(state: WindowState): string {
  const { incident, notice } = state;
  const calm = incident ? incident.blocked : state.link.state === 'linked' || state.link.state === 'free';
  const parts = [
    lamp(calm),
    incident ? incidentHtml(incident, state.family) : statusHtml(state),
    notice ? `<p class="note" role="status">${escape(notice)}</p>` : '',
    state.link.state === 'linked' ? '' : codeForm(),
    ...state.limitations.map((sentence) => `<p class="soft">${escape(sentence)}</p>`),
    `<p class="soft">${escape(words.never)}<br>${escape(words.support)}</p>`,
  ];
  // While a code is being typed nothing must be taken from under the hand.
  const live = state.link.state === 'linked' ? '<script src="/ui/live.js"></script>' : '';
  const title = incident ? headline(incident) : brand.name;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${style}</style></head><body><main>${parts.join('')}</main>${live}</body></html>`;
}

function headline({ match, blocked }: Incident): string {
  return blocked ? words.stopped(match) : words.notStopped(match);
}

function incidentHtml(incident: Incident, family: string[]): string {
  const { match, blocked, times, last, what_to_do, family_told } = incident;
  const when = `${String(last.getHours()).padStart(2, '0')}:${String(last.getMinutes()).padStart(2, '0')}`;
  const part = (title: string, text: string) => `<dt>${escape(title)}</dt><dd>${escape(text)}</dd>`;
  return `<div><h1>${escape(headline(incident))}</h1>${blocked ? `<p>${escape(words.safe)}</p>` : ''}</div><section><dl>${[
    part(words.parts.happened, words.happened(match, when)),
    part(words.parts.did, words.did(blocked, times, family_told)),
    part(words.parts.over, words.over(blocked)),
    part(words.parts.now, `${what_to_do} ${words.hangUp}`),
  ].join('')}</dl>${family.length ? `<p><strong>${escape(words.call(family))}</strong></p>` : ''}</section>`;
}

function statusHtml({ link }: WindowState): string {
  const [title, more] = {
    linked: [words.protected, words.protectedMore(link.state === 'linked' ? link.device : '')],
    unlinked: [words.unlinked, words.unlinkedMore],
    free: [words.free, words.freeMore],
    removed: [words.removed, words.removedMore],
  }[link.state] as [string, string];
  return `<div><h1>${escape(title)}</h1><p>${escape(more)}</p></div>`;
}

function codeForm(): string {
  return `<form method="post" action="/ui/link"><section><label for="code">${words.code}</label><input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" placeholder="ABCD-EFGH"><button>${words.connect}</button></section></form>`;
}

function lamp(lit: boolean): string {
  return `<svg viewBox="0 0 64 80" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M32 4v6M13 25 32 11l19 14"/><path d="M17 27h30l-4 33H21z"${lit ? ' fill="var(--lamp)"' : ''}/><path d="M24 67h16M28 75h8"/></svg>`;
}

function escape(raw: string): string {
  return raw.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
