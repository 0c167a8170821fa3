import { brand } from '@porchlight/contract/brand.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Loading } from '../../../ui/loading.tsx';
import { PlainFrame } from '../../../ui/plain-frame.tsx';
import { Invitation } from './invitation.tsx';
import { Overview } from './overview.tsx';
import { t } from './texts.ts';
import { Actions, ownActions, useOwnPage } from './use-own-page.ts';

/** Below the first screen, or seldom needed: loaded after what matters. */
const Settings = lazy(async () => ({ default: (await import('./settings.tsx')).Settings }));
const Ended = lazy(async () => ({ default: (await import('./ended.tsx')).Ended }));
const later = <div className="skeleton tall" />;

/** The guardian's own dashboard (2.16): no login, the key of the link is exchanged for a cookie at once. */
export function GuardianPage({ id, linkKey }: { id: string; linkKey: string }) {
  const { view, dead, after } = useOwnPage(id, linkKey);
  return (
    <PlainFrame>
      {dead ? (
        <Titled title={t.ended.dead.heading}>
          <Suspense fallback={later}>
            <Ended how="dead" />
          </Suspense>
        </Titled>
      ) : (
        <Loading of={view} height={400}>
          {(data) => (
            <Titled title={titleOf(data)}>
              <Actions value={ownActions(id, after)}>
                <State view={data} />
              </Actions>
            </Titled>
          )}
        </Loading>
      )}
    </PlainFrame>
  );
}

function State({ view }: { view: GuardianView }) {
  if (view.state === 'pending') return <Invitation view={view} />;
  if (view.state !== 'active') {
    return (
      <Suspense fallback={later}>
        <Ended how={view.state} holder={view.holder_name} />
      </Suspense>
    );
  }
  return (
    <>
      <Overview view={view} />
      <Suspense fallback={later}>
        <Settings view={view} />
      </Suspense>
    </>
  );
}

function titleOf({ state, holder_name }: GuardianView): string {
  if (state === 'pending') return t.pending.heading(holder_name);
  return state === 'active' ? t.lookOut(holder_name) : t.ended[state].heading;
}

/** Names the window. When the page becomes another one, the focus goes to where it begins: what was pressed is gone. */
function Titled({ title, children }: { title: string; children: ReactNode }) {
  const last = useRef(title);
  useEffect(() => {
    document.title = `${title} · ${brand.name}`;
    if (last.current === title) return;
    last.current = title;
    document.getElementById('page')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title]);
  return children;
}
