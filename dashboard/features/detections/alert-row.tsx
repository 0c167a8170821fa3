import type { Detection } from '@porchlight/contract/detections.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { clock, inWords } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { AlertText } from '../../ui/alert-text.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { AlertActions } from './alert-actions.tsx';
import { AlertDeliveries } from './alert-deliveries.tsx';
import { AlertReport } from './alert-report.tsx';
import { messages } from './messages.ts';

export interface AlertRowProps {
  item: Detection;
  open: boolean;
  named: boolean;
  extra?: ((item: Detection) => ReactNode) | undefined;
}

export function AlertRow({ item, open, named, extra }: AlertRowProps) {
  const now = useNow();
  const row = useRef<HTMLDetailsElement>(null);
  const [opened, setOpened] = useState(open);
  const { info, explanation } = item;
  useEffect(() => {
    if (!open || !row.current) return;
    row.current.open = true;
    row.current.querySelector('summary')?.focus();
    row.current.scrollIntoView({ block: 'start' });
  }, [open]);
  return (
    <details className="card alert-row" ref={row} name="alerts" onToggle={(event) => setOpened(event.currentTarget.open)}>
      <Summary item={item} named={named} now={now} />
      <div className="body stack">
        <AlertReport item={item} />
        <AlertText
          sections={[
            [messages.parts.happened, explanation.what_happened],
            [messages.parts.did, explanation.what_we_did],
            [messages.parts.over, explanation.is_it_over],
            [messages.parts.now, explanation.what_to_do],
          ]}
        />
        {info.times > 1 && <p className="soft">{messages.times(info.times, inWords(new Date(info.last_time), now))}</p>}
        <AlertDeliveries
          deliveries={item.notified ?? []}
          seen={item.seen ?? []}
          answers={item.answers}
          together={item.info.quiet === 'together'}
        />
        {item.incident && (
          <Link className="alone no-print" to={paths.incident(item.incident)}>
            {messages.incident}
          </Link>
        )}
        {opened && extra?.(item)}
        <AlertActions item={item} />
        {info.details && (
          <p className="soft small">
            {messages.seen}: {info.details}
          </p>
        )}
      </div>
    </details>
  );
}

function Summary({ item, named, now }: Pick<AlertRowProps, 'item' | 'named'> & { now: Date }) {
  const { info, answers, seen } = item;
  const name = info.certainty === 'likely' ? messages.looksLike(info.name) : info.name;
  const actionText = info.blocked ? messages.blocked(name) : messages.notBlocked(name);
  const latestAnswer = answers[0];
  return (
    <summary>
      <span>
        <strong>{named ? messages.on(actionText, item.device_name) : actionText}</strong>
        <br />
        <span className="soft">{inWords(new Date(info.time), now)}</span> <Tag item={item} />
        {seen?.[0] && (
          <>
            <br />
            <span className="soft">{messages.seenBy(seen[0].name, clock(new Date(seen[0].time)))}</span>
          </>
        )}
        {latestAnswer && (
          <>
            <br />
            <span className="soft">
              {messages.answers[latestAnswer.answer](latestAnswer.you ? null : latestAnswer.by, inWords(new Date(latestAnswer.time), now))}
            </span>
          </>
        )}
      </span>
      <Icon name="down" className="turn" />
    </summary>
  );
}

function Tag({ item: { info, answers } }: Pick<AlertRowProps, 'item'>) {
  const calm = answers.length > 0;
  const openKind = info.blocked ? 'look' : 'danger';
  return (
    <span className={`tag ${calm ? 'safe' : openKind}`}>
      <Icon name={calm || info.blocked ? 'tick' : 'warning'} size={18} />
      {messages.category[info.category]}
    </span>
  );
}
