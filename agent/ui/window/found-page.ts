import type { DiskScanState } from '../../ports.ts';
import { nameOf, namesOf } from '../messages/found-names.ts';
import { messages } from '../messages/messages.ts';
import { button, escape, form, link, paragraph } from './html.ts';
import { secretInput, secretWhere } from './pause-page.ts';
import type { WindowState } from './state.ts';

const { scan: scanMessages } = messages;

export function diskScanPart({ running, found }: DiskScanState, relatives: string[]): string {
  if (running && !found.length) return `<p class="soft" role="status">${escape(scanMessages.running)}</p>`;
  if (!found.length) return '';
  const someLeft = found.some(({ did }) => did === 'left');
  const summary = found.every(({ did }) => did === 'reported')
    ? scanMessages.reported
    : someLeft
      ? scanMessages.notAll
      : scanMessages.all(found.length);
  const call = someLeft && relatives.length ? `<p><strong>${escape(scanMessages.call(relatives))}</strong></p>` : '';
  return `<section><h2>${escape(scanMessages.title)}</h2>${paragraph(scanMessages.found(namesOf(found)))}${paragraph(summary)}${call}<nav aria-label="${escape(scanMessages.title)}">${link('found', scanMessages.open)}</nav></section>`;
}

export function foundPage(
  { found }: DiskScanState,
  state: Pick<WindowState, 'locked' | 'relatives'> & { asks: boolean },
  proof: string,
): string {
  const { asks } = state;
  const list = found.map((finding, index) => {
    const entry = `<input type="hidden" name="entry" value="${escape(finding.key)}">`;
    const back = finding.held.length
      ? form('found', proof, `${entry}${asks ? secretInput(state, `pin-${index}`) : ''}${button(scanMessages.back, 'quiet')}`)
      : '';
    return `<section><h2>${escape(nameOf(finding))}</h2>${paragraph(scanMessages.did[finding.did])}<p class="soft">${escape(finding.entry)}</p>${back}</section>`;
  });
  const paragraphs = [
    ...(found.length ? [scanMessages.kept, asks ? scanMessages.backMore : scanMessages.backMoreFree] : [scanMessages.nothing]),
  ];
  const where = asks && found.some(({ held }) => held.length) ? secretWhere(state) : '';
  return `<h1>${escape(scanMessages.title)}</h1>${paragraphs.map(paragraph).join('')}${where}${list.join('')}`;
}
