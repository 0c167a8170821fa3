import { brand } from '@porchlight/contract/brand.ts';
import type { Incident } from '@porchlight/contract/incidents.ts';
import type { ReactNode } from 'react';
import { useNow } from '../../lib/use-now.ts';
import { useTitle } from '../../lib/use-title.ts';
import { messages } from './messages.ts';
import { exactTime, sheetOf } from './sheet.ts';
import './incidents.css';

/** One page for the bank and the police: facts, and fields to fill in by hand. `holder`: the holder's name. */
export function PrintSheet({ incident, holder, back }: { incident: Incident; holder: string; back: ReactNode }) {
  const { print } = messages;
  const { device, words, uuid } = incident;
  const now = useNow();
  const sheet = sheetOf(incident);
  useTitle(print.heading(brand.name));
  const userName = device.person && !device.person.is_holder ? device.person.name : '';
  const facts: [string, string][] = [
    [print.computer, device.name],
    ...(userName ? ([[print.user, userName]] as [string, string][]) : []),
    [print.holder, holder],
    [print.what, words],
    [print.began, sheet.began],
    [print.ended, sheet.ended ?? print.notEnded],
    [print.number, uuid],
  ];
  return (
    <>
      <div className="row between no-print">
        {back}
        <button type="button" className="btn" onClick={() => window.print()}>
          {print.button}
        </button>
      </div>
      <article className="sheet">
        <h1>{print.heading(brand.name)}</h1>
        <dl>
          {facts.map(([title, text]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Lines title={print.found} lines={sheet.found} none={words} />
        <Lines title={print.changed} lines={sheet.changed} none={print.nothingChanged} />
        <Lines title={print.notified} lines={sheet.notified} none={print.nobody} />
        <h2>{print.byHand}</h2>
        <dl className="blanks">
          {print.blanks.map((title) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd />
            </div>
          ))}
        </dl>
        <p>{print.made(exactTime()(now.toISOString()))}</p>
      </article>
    </>
  );
}

function Lines({ title, lines, none }: { title: string; lines: { time: string; words: string }[]; none: string }) {
  return (
    <>
      <h2>{title}</h2>
      {lines.length === 0 && <p>{none}</p>}
      <ul>
        {lines.map(({ time, words }) => (
          <li key={time + words}>
            <span>{time}</span>
            <span>{words}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
