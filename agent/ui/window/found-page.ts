import type { DiskScanState } from '../../ports.ts';
import { nameOf, namesOf } from '../messages/found-names.ts';
import { messages } from '../messages/messages.ts';
import { button, escape, form, link, paragraph } from './html.ts';

const { scan: scanMessages } = messages;

export function diskScanPart({ running, found }: DiskScanState, relatives: string[]): string {
  if (running && !found.length) return `<p class="soft" role="status">${escape(scanMessages.running)}</p>`;
  if (!found.length) return '';
  const someLeft = found.some(({ did }) => did === 'left');
  const summary = found.every(({ did }) => did === 'told')
    ? scanMessages.told
    : someLeft
      ? scanMessages.notAll
      : scanMessages.all(found.length);
  const call = someLeft && relatives.length ? `<p><strong>${escape(scanMessages.call(relatives))}</strong></p>` : '';
  return `<section><h2>${escape(scanMessages.title)}</h2>${paragraph(scanMessages.found(namesOf(found)))}${paragraph(summary)}${call}<nav aria-label="${escape(scanMessages.title)}">${link('found', scanMessages.open)}</nav></section>`;
}

export function foundPage({ found }: DiskScanState, linked: boolean, proof: string): string {
  const list = found.map((finding, index) => {
    const entry = `<input type="hidden" name="entry" value="${escape(finding.key)}">`;
    const pin = `<label for="pin-${index}">${escape(messages.pin.label)}</label><input id="pin-${index}" name="pin" type="password" inputmode="numeric" autocomplete="off" maxlength="20" required aria-describedby="pin-where">`;
    const back = finding.held.length ? form('found', proof, `${entry}${linked ? pin : ''}${button(scanMessages.back, 'quiet')}`) : '';
    return `<section><h2>${escape(nameOf(finding))}</h2>${paragraph(scanMessages.did[finding.did])}<p class="soft">${escape(finding.entry)}</p>${back}</section>`;
  });
  const paragraphs = [
    ...(found.length ? [scanMessages.kept, linked ? scanMessages.backMore : scanMessages.backMoreFree] : [scanMessages.nothing]),
  ];
  const where = linked && found.some(({ held }) => held.length) ? `<p class="soft" id="pin-where">${escape(messages.pin.where)}</p>` : '';
  return `<h1>${escape(scanMessages.title)}</h1>${paragraphs.map(paragraph).join('')}${where}${list.join('')}`;
}
