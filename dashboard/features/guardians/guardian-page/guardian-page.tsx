import { brand } from '@porchlight/contract/brand.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { lazy, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Polled } from '../../../lib/use-freshness.ts';
import { Loading } from '../../../ui/loading.tsx';
import { PlainFrame } from '../../../ui/plain-frame.tsx';
import { LazyPart } from './lazy-part.tsx';
import { messages } from './messages.ts';
import { Overview } from './overview.tsx';
import { Actions, pageActions, pollMs, useGuardianPage } from './use-guardian-page.ts';

/** Loaded on demand: parts below the first screen, or needed once. */
const inactive = () => import('./inactive.tsx');
const Invitation = lazy(async () => ({ default: (await inactive()).Invitation }));
const Ended = lazy(async () => ({ default: (await inactive()).Ended }));

interface GuardianPageProps extends IncidentPieces {
  id: string;
  linkKey: string;
}

/** What the page shows of incidents, which are another feature. */
interface IncidentPieces {
  /** What the link was about: the uuid of a `request` or of an `incident`, which then is shown instead of the page; or `stop`. */
  link: URLSearchParams;
  incidents: (view: GuardianView, reload: () => Promise<void>) => ReactNode;
  /** What a guardian can do at once. */
  emergency: (view: GuardianView, reload: () => Promise<void>) => ReactNode;
  settings: (view: GuardianView) => ReactNode;
}

/** 2.16: no login; the link's key is exchanged for a cookie at once. */
export function GuardianPage({ id, linkKey, ...pieces }: GuardianPageProps) {
  const { view, at, dead, after } = useGuardianPage(id, linkKey);
  return (
    <PlainFrame>
      {dead ? (
        <Titled title={messages.ended.dead}>
          <LazyPart>
            <Ended how="dead" />
          </LazyPart>
        </Titled>
      ) : (
        <Loading of={view} height={400}>
          {(data) => (
            <Titled title={titleOf(data)}>
              <Actions value={pageActions(id, after)}>
                <State view={data} polled={{ at, poll: pollMs }} reload={() => after(Promise.resolve())} pieces={pieces} />
              </Actions>
            </Titled>
          )}
        </Loading>
      )}
    </PlainFrame>
  );
}

interface StateProps {
  view: GuardianView;
  polled: Polled;
  reload: () => Promise<void>;
  pieces: IncidentPieces;
}

function State(props: StateProps) {
  const { view } = props;
  if (view.state === 'pending') {
    return (
      <LazyPart>
        <Invitation view={view} />
      </LazyPart>
    );
  }
  if (view.state !== 'active') {
    return (
      <LazyPart>
        <Ended how={view.state} holder={view.holder_name} />
      </LazyPart>
    );
  }
  return <Active {...props} />;
}

/** A question comes first. All else about incidents comes after the call, which is the page's first button then (P8.2). */
function Active({ view, polled, reload, pieces: { link, incidents, emergency, settings } }: StateProps) {
  const asks = view.requests.some(({ state }) => state === 'open');
  // The thanks for an answer stay where the question was.
  const [asked, setAsked] = useState(asks);
  if (asks && !asked) setAsked(true);
  const part = (height: number) => <LazyPart height={height}>{incidents(view, reload)}</LazyPart>;
  if (link.has('incident')) return part(480);
  const has = (...states: string[]) => [...view.requests, ...view.incidents].some(({ state }) => states.includes(state));
  const isFirst = asked || link.has('request');
  const urgentParts = (
    <>
      {!isFirst && has('open', 'yes', 'done') && part(96)}
      {emergency(view, reload)}
    </>
  );
  return (
    <>
      {isFirst && part(asks ? 480 : 96)}
      {/* A question has the page's first heading. */}
      <Overview view={view} polled={polled} level={asks ? 2 : 1} atTop={urgentParts}>
        <LazyPart>{settings(view)}</LazyPart>
      </Overview>
    </>
  );
}

function titleOf({ state, holder_name }: GuardianView): string {
  if (state === 'pending') return messages.pending(holder_name);
  return state === 'active' ? messages.lookOut(holder_name) : messages.ended[state];
}

/** Sets the window's title unless a child does. When the page changes, the focus moves to its start, since the pressed button is gone. */
function Titled({ title, children }: { title: string; children: ReactNode }) {
  const lastTitle = useRef(title);
  useLayoutEffect(() => {
    document.title = `${title} · ${brand.name}`;
  }, [title]);
  useEffect(() => {
    if (lastTitle.current === title) return;
    lastTitle.current = title;
    document.getElementById('page')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title]);
  return children;
}
