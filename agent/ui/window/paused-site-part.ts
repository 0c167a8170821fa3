import { calmMessages } from '../messages/calm-screen.ts';
import { pausedSiteMessages as messages } from '../messages/paused-site.ts';
import { button, form, paragraph } from './html.ts';
import type { WindowState } from './state.ts';

const status = (text: string) => `<section role="status">${paragraph(text)}</section>`;

/** What can be done about a paused site: open it, ask, or nothing (P16.2). */
export function pausedSitePart({ paused_site, relatives, knows }: WindowState, proof: string): string {
  const openForm = (text: string, label: string) =>
    `<section>${paragraph(text)}${form('open_site', proof, button(label, 'quiet'))}</section>`;
  switch (paused_site) {
    case 'press':
      return openForm(messages.press(relatives), messages.open);
    case 'ask':
      return relatives.length ? openForm(messages.ask(relatives), messages.askButton(relatives)) : status(messages.notNow);
    case 'asked':
      return status(calmMessages.waiting.asked(relatives, knows.kind === 'offline'));
    case 'opened':
      return status(messages.opened);
    case 'refused':
      return status(messages.refused);
    case null:
      return '';
  }
}
