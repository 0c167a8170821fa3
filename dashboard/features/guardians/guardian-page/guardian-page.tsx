import { brand } from '@porchlight/contract/brand.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { lazy, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import type { Heard } from '../../../lib/use-freshness.ts';
import { Loading } from '../../../ui/loading.tsx';
import { PlainFrame } from '../../../ui/plain-frame.tsx';
import { Later } from './lazy-part.tsx';
import { t } from './messages.ts';
import { Overview } from './overview.tsx';
import { Actions, ownActions, poll, useOwnPage } from './use-guardian-page.ts';

/** Below the first screen, or needed once: a guardian at night does not wait for it. */
const Invitation = lazy(async () => ({ default: (await import('./invitation.tsx')).Invitation }));
const Settings = lazy(async () => ({ default: (await import('./settings.tsx')).Settings }));
const Ended = lazy(async () => ({ default: (await import('./ended.tsx')).Ended }));

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
  if (view.state === 'pending') {
    return (
      <Later>
        <Invitation view={view} />
      </Later>
    );
  }
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
