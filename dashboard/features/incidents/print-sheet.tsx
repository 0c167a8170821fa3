import { brand } from '@porchlight/contract/brand.ts';
import type { Incident } from '@porchlight/contract/incidents.ts';
import { openerSentence } from '@porchlight/contract/words/openers.ts';
import type { ReactNode } from 'react';
import { useNow } from '../../lib/use-now.ts';
import { useTitle } from '../../lib/use-title.ts';
import { exactTime, sheetOf } from './sheet.ts';
import { sheetMessages } from './sheet-messages.ts';
import './incidents.css';

/** One page for the bank and the police: facts, and fields to fill in by hand. `holder`: the holder's name. */
export function PrintSheet({ incident, holder, back }: { incident: Incident; holder: string; back: ReactNode }) {
  const { device, uuid } = incident;
  const began = openerSentence(incident);
  const now = useNow();
  const sheet = sheetOf(incident);
  useTitle(sheetMessages.heading(brand.name));
  const userName = device.person && !device.person.is_holder ? device.person.name : '';
  const facts: [string, string][] = [
    [sheetMessages.computer, device.name],
    ...(userName ? ([[sheetMessages.user, userName]] as [string, string][]) : []),
    [sheetMessages.holder, holder],
    [sheetMessages.what, began],
    [sheetMessages.began, sheet.began],
    [sheetMessages.ended, sheet.ended ?? sheetMessages.notEnded],
    [sheetMessages.number, uuid],
  ];
  return (
    <>
      <div className="row between no-print">
        {back}
        <button type="button" className="btn" onClick={() => window.print()}>
          {sheetMessages.button}
        </button>
      </div>
      <article className="sheet">
        <h1>{sheetMessages.heading(brand.name)}</h1>
        <dl>
          {facts.map(([title, text]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Lines title={sheetMessages.found} lines={sheet.found} none={began} />
        <Lines title={sheetMessages.changed} lines={sheet.changed} none={sheetMessages.nothingChanged} />
        <Lines title={sheetMessages.notified} lines={sheet.notified} none={sheetMessages.nobody} />
        <h2>{sheetMessages.byHand}</h2>
        <dl className="blanks">
          {sheetMessages.blanks.map((title) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd />
            </div>
          ))}
        </dl>
        <p>{sheetMessages.made(exactTime()(now.toISOString()))}</p>
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
