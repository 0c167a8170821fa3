import type { DiskScanState } from '../../ports.ts';
import { nameOf, namesOf } from '../messages/found-names.ts';
import { messages } from '../messages/messages.ts';
import { button, escape, form, link, paragraph } from './html.ts';

const { look } = messages;

/** On the first page: what was found, in one sentence, and whether it is over. */
export function diskScanPart({ running, found }: DiskScanState, family: string[]): string {
  if (running && !found.length) return `<p class="soft" role="status">${escape(look.running)}</p>`;
  if (!found.length) return '';
  const left = found.some(({ did }) => did === 'left');
  const over = found.every(({ did }) => did === 'told') ? look.told : left ? look.notAll : look.all(found.length);
  const call = left && family.length ? `<p><strong>${escape(look.call(family))}</strong></p>` : '';
  return `<section><h2>${escape(look.title)}</h2>${paragraph(look.found(namesOf(found)))}${paragraph(over)}${call}<nav aria-label="${escape(look.title)}">${link('found', look.open)}</nav></section>`;
}

/** Each thing, what we did, and the way back. `linked`: the way back needs the PIN. */
export function foundPage({ found }: DiskScanState, linked: boolean, proof: string): string {
  const list = found.map((one, at) => {
    const entry = `<input type="hidden" name="entry" value="${escape(one.key)}">`;
    const pin = `<label for="pin-${at}">${escape(messages.pin.label)}</label><input id="pin-${at}" name="pin" type="password" inputmode="numeric" autocomplete="off" maxlength="20" required aria-describedby="pin-where">`;
    const back = one.held.length ? form('found', proof, `${entry}${linked ? pin : ''}${button(look.back, 'quiet')}`) : '';
    return `<section><h2>${escape(nameOf(one))}</h2>${paragraph(look.did[one.did])}<p class="soft">${escape(one.entry)}</p>${back}</section>`;
  });
  const more = [...(found.length ? [look.kept, linked ? look.backMore : look.backMoreFree] : [look.nothing])];
  const where = linked && found.some(({ held }) => held.length) ? `<p class="soft" id="pin-where">${escape(messages.pin.where)}</p>` : '';
  return `<h1>${escape(look.title)}</h1>${more.map(paragraph).join('')}${where}${list.join('')}`;
}
