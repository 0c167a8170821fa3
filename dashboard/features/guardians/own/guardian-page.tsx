import { brand } from '@porchlight/contract/brand.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import type { Heard } from '../../../lib/use-as-of.ts';
import { ErrorBoundary } from '../../../ui/error-boundary.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { PlainFrame } from '../../../ui/plain-frame.tsx';
import { Invitation } from './invitation.tsx';
import { Overview } from './overview.tsx';
import { t } from './texts.ts';
import { Actions, ownActions, poll, useOwnPage } from './use-own-page.ts';

/** Below the first screen, or seldom needed: loaded after what matters. */
const Settings = lazy(async () => ({ default: (await import('./settings.tsx')).Settings }));
const Ended = lazy(async () => ({ default: (await import('./ended.tsx')).Ended }));

/** Keeps the place of such a part; one that does not come takes nothing else away. */
function Later({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary part>
      <Suspense fallback={<div className="skeleton tall" />}>{children}</Suspense>
    </ErrorBoundary>
  );
}

/** The guardian's own dashboard (2.16): no login, the key of the link is exchanged for a cookie at once. */
export function GuardianPage({ id, linkKey }: { id: string; linkKey: string }) {
  const { view, at, dead, after } = useOwnPage(id, linkKey);
  return (
    <PlainFrame>
      {dead ? (
        <Titled title={t.ended.dead.heading}>
          <Later>
            <Ended how="dead" />
          </Later>
        </Titled>
      ) : (
        <Loading of={view} height={400}>
          {(data) => (
            <Titled title={titleOf(data)}>
              <Actions value={ownActions(id, after)}>
                <State view={data} heard={{ at, poll }} />
              </Actions>
            </Titled>
          )}
        </Loading>
      )}
    </PlainFrame>
  );
}

function State({ view, heard }: { view: GuardianView; heard: Heard }) {
  if (view.state === 'pending') return <Invitation view={view} />;
  if (view.state !== 'active') {
    return (
      <Later>
        <Ended how={view.state} holder={view.holder_name} />
      </Later>
    );
  }
  return (
    <Overview view={view} heard={heard}>
      <Later>
        <Settings view={view} />
      </Later>
    </Overview>
  );
}

function titleOf({ state, holder_name }: GuardianView): string {
  if (state === 'pending') return t.pending.heading(holder_name);
  return state === 'active' ? t.lookOut(holder_name) : t.ended[state].heading;
}

/** Names the window, unless what is within has more to say. When the page becomes another one, the focus goes to where it begins: what was pressed is gone. */
function Titled({ title, children }: { title: string; children: ReactNode }) {
  const last = useRef(title);
  useLayoutEffect(() => {
    document.title = `${title} · ${brand.name}`;
  }, [title]);
  useEffect(() => {
    if (last.current === title) return;
    last.current = title;
    document.getElementById('page')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title]);
  return children;
}
