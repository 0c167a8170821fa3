import type { Detection } from '@porchlight/contract/detections.ts';
import { useEffect, useRef } from 'react';
import { clock, inWords } from '../../lib/dates.ts';
import { useNow } from '../../lib/use-now.ts';
import { Drawing } from '../../ui/drawings.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PartsList } from '../../ui/parts-list.tsx';
import { AlertTold } from './alert-told.tsx';
import { useDetections } from './queries.ts';
import { t } from './texts.ts';

/** The alerts of a device, newest first; each row opens into the four parts. `open`: the one to open at once. */
export function AlertHistory({ device, open }: { device: string; open: string | null }) {
  const detections = useDetections(device);
  return (
    <Loading of={detections} height={240}>
      {({ items }) =>
        items.length ? (
          <ul className="stack" aria-label={t.listLabel}>
            {items.map((item) => (
              <li key={item.uuid}>
                <Row item={item} open={item.uuid === open} />
              </li>
            ))}
          </ul>
        ) : (
          <div className="card stack">
            <Drawing of="quiet" />
            <h2>{t.none}</h2>
            <p className="soft">{t.noneLead}</p>
          </div>
        )
      }
    </Loading>
  );
}

function Row({ item, open }: { item: Detection; open: boolean }) {
  const now = useNow();
  const row = useRef<HTMLDetailsElement>(null);
  const { info, parts } = item;
  const name = info.certainty === 'likely' ? t.looksLike(info.name) : info.name;
  useEffect(() => {
    if (!open || !row.current) return;
    row.current.open = true;
    row.current.querySelector('summary')?.focus();
    row.current.scrollIntoView({ block: 'start' });
  }, [open]);
  return (
    <details className="card alert-row" ref={row} name="alerts">
      <summary>
        <span>
          <strong>{info.blocked ? t.blocked(name) : t.notBlocked(name)}</strong>
          <br />
          <span className="soft">{inWords(new Date(info.time), now)}</span>{' '}
          <span className={`tag ${info.blocked ? 'look' : 'danger'}`}>
            <Icon name={info.blocked ? 'tick' : 'warning'} size={18} />
            {t.category[info.category]}
          </span>
          {item.seen?.[0] && (
            <>
              <br />
              <span className="soft">{t.seenBy(item.seen[0].name, clock(new Date(item.seen[0].time)))}</span>
            </>
          )}
        </span>
        <Icon name="down" className="turn" />
      </summary>
      <div className="body stack">
        <PartsList
          parts={[
            [t.parts.happened, parts.what_happened],
            [t.parts.did, parts.what_we_did],
            [t.parts.over, parts.is_it_over],
            [t.parts.now, parts.what_to_do],
          ]}
        />
        {info.times > 1 && <p className="soft">{t.times(info.times, inWords(new Date(info.last_time), now))}</p>}
        <AlertTold told={item.told ?? []} seen={item.seen ?? []} />
        {info.details && (
          <p className="soft small">
            {t.seen}: {info.details}
          </p>
        )}
      </div>
    </details>
  );
}
