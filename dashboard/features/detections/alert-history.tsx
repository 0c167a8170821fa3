import type { Detection } from '@porchlight/contract/detections.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { HttpError } from '../../lib/http.ts';
import { Illustration } from '../../ui/illustrations.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { AlertRow } from './alert-row.tsx';
import { messages } from './messages.ts';
import { useDetection, useHistory } from './queries.ts';
import './detections.css';

/** The alerts of one device or of all. The address has the page and an alert to open, which is added on top if it is on another page. */
export function AlertHistory({ device, extra }: { device?: string; extra?: (item: Detection) => ReactNode }) {
  const [search] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(search.get('page'))) || 1);
  const open = search.get('detectionId');
  const history = useHistory(device, page);
  const linkedAlert = useDetection(open);
  const list = useRef<HTMLUListElement>(null);
  const shownPage = useRef(page);
  const here = history.data !== undefined;
  useEffect(() => {
    if (!here || shownPage.current === page) return;
    shownPage.current = page;
    list.current?.focus({ preventScroll: true });
    list.current?.scrollIntoView({ block: 'start' });
  }, [page, here]);
  return (
    <>
      <Loading of={history} height={240}>
        {({ items, older }) => {
          const apart = linkedAlert.data && items.every(({ uuid }) => uuid !== linkedAlert.data?.uuid);
          const shownAlerts = apart && linkedAlert.data ? [linkedAlert.data, ...items] : items;
          const gone =
            !linkedAlert.data &&
            linkedAlert.error instanceof HttpError &&
            linkedAlert.error.status === 404 &&
            items.every(({ uuid }) => uuid !== open);
          return (
            <>
              {gone && <p className="note look">{messages.gone}</p>}
              {shownAlerts.length === 0 && page === 1 && <NoAlerts device={device} />}
              {shownAlerts.length > 0 && (
                <ul className="stack alerts" aria-label={messages.listLabel} ref={list} tabIndex={-1}>
                  {shownAlerts.map((item) => (
                    <li key={item.uuid}>
                      <AlertRow
                        item={item}
                        open={item.uuid === open || item.uuid === linkedAlert.data?.uuid}
                        named={!device}
                        extra={extra}
                      />
                    </li>
                  ))}
                </ul>
              )}
              <Pages page={page} older={older} />
            </>
          );
        }}
      </Loading>
    </>
  );
}

function NoAlerts({ device }: { device: string | undefined }) {
  return (
    <div className="card stack">
      <Illustration of="quiet" />
      <h2>{messages.none}</h2>
      <p className="soft">{device ? messages.noneLead : messages.noneOfAll}</p>
    </div>
  );
}

function Pages({ page, older }: { page: number; older: boolean }) {
  if (page === 1 && !older) return null;
  return (
    <nav className="row pages no-print" aria-label={messages.pages.label}>
      {page > 1 && (
        <Link className="btn quiet" to={`?page=${page - 1}`}>
          {messages.pages.newer}
        </Link>
      )}
      <span className="soft">{messages.pages.page(page)}</span>
      {older && (
        <Link className="btn quiet" to={`?page=${page + 1}`}>
          {messages.pages.older}
        </Link>
      )}
    </nav>
  );
}
