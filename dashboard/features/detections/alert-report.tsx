import { brand } from '@porchlight/contract/brand.ts';
import type { Detection } from '@porchlight/contract/detections.ts';
import { AlertParts } from '../../ui/alert-parts.tsx';
import { messages } from './messages.ts';

/** What a bank or the police ask for, on paper alone: exact times, the computer, and a number to name the alert by. */
export function AlertReport({ item }: { item: Detection }) {
  const { info, device_name, uuid } = item;
  const { report } = messages;
  const again: [string, string][] = info.times > 1 ? [[report.last, exact(info.last_time)]] : [];
  return (
    <section className="print-only">
      <h2>{report.heading(brand.name)}</h2>
      <AlertParts
        parts={[
          [report.what, `${info.certainty === 'likely' ? messages.looksLike(info.name) : info.name} (${messages.category[info.category]})`],
          [report.device, device_name],
          [report.time, exact(info.time)],
          ...again,
          [report.stopped, info.blocked ? report.yes : report.no],
          [report.number, uuid],
        ]}
      />
    </section>
  );
}

/** `Saturday, November 21, 2026 at 2:05:13 PM EST` */
const exact = (time: string) => new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' }).format(new Date(time));
