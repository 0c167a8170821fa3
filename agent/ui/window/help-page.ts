import { helpingMessages, helpMessages } from '../messages/lock.ts';
import { button, escape, form, paragraph } from './html.ts';
import type { WindowState } from './state.ts';

export const helpPart = (proof: string): string => form('help', proof, button(helpMessages.button));

/** Whom we reach, as far as it is true: without an account nobody is notified. */
function reachingLine({ link, relatives, holder, away }: WindowState): string {
  if (link.state !== 'linked') return helpMessages.alone;
  if (relatives.length) return away ? helpMessages.offline(relatives) : helpMessages.reaching(relatives);
  return holder && !away ? helpMessages.writing(holder.first_name) : helpMessages.alone;
}

/** The four lines of *I need help now* (P9.5). */
export function helpPage(state: WindowState): string {
  const lines = [helpMessages.hangUp, helpMessages.screen, helpMessages.bank, reachingLine(state)];
  const stopped = state.protects === null ? '' : paragraph(helpMessages.stopped);
  return `<h1>${escape(helpMessages.title)}</h1><section><ol class="steps">${lines.map((line) => `<li>${escape(line)}</li>`).join('')}</ol></section>${stopped}`;
}

/** Who helps here now, and the button that ends it. */
export function helpingPart({ helping, now }: WindowState, proof: string): string {
  const [one] = helping;
  if (!one) return '';
  const texts = [helpingMessages.more(one.by, one.program), ...(one.ends_soon ? [helpingMessages.soon(one.program)] : [])];
  const title = helping.map(({ by, program, until }) => `<h2>${escape(helpingMessages.title(by, program, until, now))}</h2>`).join('');
  return `<section role="status">${title}${texts.map(paragraph).join('')}${form('end_help', proof, button(helpingMessages.end))}</section>`;
}

export const stopPart = ({ stop, now }: WindowState): string =>
  stop ? `<p class="note">${escape(helpMessages.stop(stop.by, stop.until, now))}</p>` : '';

export function isolationPart({ isolation, now }: WindowState, proof: string): string {
  if (!isolation) return '';
  const end = isolation.may_end ? form('reconnect', proof, button(helpMessages.reconnect, 'quiet')) : '';
  return `<section><h2>${escape(helpMessages.isolated)}</h2>${paragraph(helpMessages.isolatedMore(isolation.by, isolation.until, now))}${end}</section>`;
}
