import { brand } from '@porchlight/contract/brand.ts';
import type { Detection } from '@porchlight/contract/detections.ts';
import { language } from '@porchlight/contract/language.ts';
import { AlertText } from '../../ui/alert-text.tsx';
import { messages } from './messages.ts';

/** A report for a bank or the police, visible only in print. */
export function AlertReport({ item }: { item: Detection }) {
  const { info, device_name, uuid } = item;
  const { report } = messages;
  const lastTimeRows: [string, string][] = info.times > 1 ? [[report.last, exactTime(info.last_time)]] : [];
  return (
    <section className="print-only">
      <h2>{report.heading(brand.name)}</h2>
      <AlertText
        sections={[
          [report.what, `${info.certainty === 'likely' ? messages.looksLike(info.name) : info.name} (${messages.category[info.category]})`],
          [report.device, device_name],
          [report.time, exactTime(info.time)],
          ...lastTimeRows,
          [report.stopped, info.blocked ? report.yes : report.no],
          [report.number, uuid],
        ]}
      />
    </section>
  );
}

/** `Saturday, November 21, 2026 at 2:05:13 PM EST` */
const exactTime = (time: string) => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' }).format(new Date(time));
