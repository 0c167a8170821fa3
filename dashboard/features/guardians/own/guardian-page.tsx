import { brand } from '@porchlight/contract/brand.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { ConfirmProvider } from '../../../ui/confirm-dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { PlainFrame } from '../../../ui/plain-frame.tsx';
import { Ended } from './ended.tsx';
import { Invitation } from './invitation.tsx';
import { Overview } from './overview.tsx';
import { Settings } from './settings.tsx';
import { t } from './texts.ts';
import { Actions, ownActions, useOwnPage } from './use-own-page.ts';

/** The guardian's own dashboard (2.16): no login, the key of the link is exchanged for a cookie at once. */
export function GuardianPage({ id, linkKey }: { id: string; linkKey: string }) {
  const { view, dead, then } = useOwnPage(id, linkKey);
  return (
    <ConfirmProvider>
      <PlainFrame>
        {dead ? (
          <Titled title={t.ended.dead.heading}>
            <Ended how="dead" />
          </Titled>
        ) : (
          <Loading of={view} height={400}>
            {(data) => (
              <Titled title={titleOf(data)}>
                <Actions value={ownActions(id, then)}>
                  <State view={data} />
                </Actions>
              </Titled>
            )}
          </Loading>
        )}
      </PlainFrame>
    </ConfirmProvider>
  );
}

function State({ view }: { view: GuardianView }) {
  if (view.state === 'pending') return <Invitation view={view} />;
  if (view.state !== 'active') return <Ended how={view.state} holder={view.holder_name} />;
  return (
    <>
      <Overview view={view} />
      <Settings view={view} />
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
