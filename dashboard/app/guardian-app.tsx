import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { lazy } from 'react';
import { Collapsible } from '../features/guardians/guardian-page/collapsible.tsx';
import { GuardianPage } from '../features/guardians/guardian-page/guardian-page.tsx';
import { LazyPart } from '../features/guardians/guardian-page/lazy-part.tsx';
import { messages } from '../features/guardians/guardian-page/messages.ts';
import { offerOf } from '../integrations/push-offer.ts';
import { FooterMore } from '../ui/footer.tsx';
import { optional } from '../ui/optional.tsx';

/** Loaded after the page, which goes on without them. */
const lateParts = () => import('./guardian-late-parts.tsx');
const StandingUpdateButton = optional(async () => (await lateParts()).StandingUpdateButton);
const Helping = optional(async () => (await lateParts()).Helping);

/** Loaded on demand: an incident is rare, and the page's first load is small. */
const lazyParts = () => import('./guardian-parts.tsx');
const Incidents = lazy(async () => ({ default: (await lazyParts()).GuardianIncidents }));
const lazySettings = () => import('./guardian-settings.tsx');
const Settings = lazy(async () => ({ default: (await lazySettings()).GuardianSettings }));
// Without the file the settings say so, and nothing is offered.
const PushOffer = lazy(() =>
  lazySettings().then(
    (loaded) => ({ default: loaded.PushOffer }),
    () => ({ default: () => null }),
  ),
);
const DoNow = lazy(async () => ({ default: (await lazyParts()).GuardianDoNow }));

interface GuardianAppProps {
  /** The guardian's id. */
  id: string;
  /** The link's key, empty without one. */
  linkKey: string;
  /** What the link is about. */
  link: URLSearchParams;
}

export function GuardianApp({ id, linkKey, link }: GuardianAppProps) {
  const emergency = (view: GuardianView, reload: () => Promise<void>) => (
    <>
      <Helping guardian={id} />
      <LazyPart height={offerOf(id) === 'open' ? 232 : 0}>
        <PushOffer guardian={id} view={view} />
      </LazyPart>
      <Collapsible
        id="do-now"
        title={messages.doNow}
        open={link.has('stop') || [...view.requests, ...view.incidents].some(({ state }) => state === 'open')}
      >
        <LazyPart>
          <DoNow id={id} view={view} link={link} reload={reload} />
        </LazyPart>
      </Collapsible>
    </>
  );
  return (
    <FooterMore value={<StandingUpdateButton />}>
      <GuardianPage
        id={id}
        linkKey={linkKey}
        link={link}
        incidents={(view, reload) => <Incidents id={id} view={view} link={link} emergency={emergency(view, reload)} reload={reload} />}
        emergency={emergency}
        settings={(view) => <Settings id={id} view={view} />}
      />
    </FooterMore>
  );
}
