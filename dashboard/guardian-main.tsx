import 'virtual:brand.css';
import './ui/base.css';
import './ui/components.css';
import './app/layout.css';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { lazy } from 'react';
import { createRoot } from 'react-dom/client';
import { Collapsible } from './features/guardians/guardian-page/collapsible.tsx';
import { GuardianPage } from './features/guardians/guardian-page/guardian-page.tsx';
import { LazyPart } from './features/guardians/guardian-page/lazy-part.tsx';
import { messages } from './features/guardians/guardian-page/messages.ts';
import { offerOf } from './integrations/push-offer.ts';
import { FooterMore } from './ui/footer.tsx';
import { optional } from './ui/optional.tsx';

const StandingUpdateButton = optional(async () => (await import('./app/standing-update-button.tsx')).StandingUpdateButton);

const root = document.getElementById('root');
const [id = '', key = ''] = (window.location.pathname.split('/guardian/')[1] ?? '').split('/');
const link = new URLSearchParams(window.location.search);
// Removes the key from the address bar, history and referrer before anything is rendered. What the link is about stays.
if (key) window.history.replaceState(null, '', `/dashboard/guardian/${id}${window.location.search}`);

/** Loaded on demand: an incident is rare, and the page's first load is small. */
const lazyParts = () => import('./app/guardian-parts.tsx');
const Incidents = lazy(async () => ({ default: (await lazyParts()).GuardianIncidents }));
const lazySettings = () => import('./app/guardian-settings.tsx');
const Settings = lazy(async () => ({ default: (await lazySettings()).GuardianSettings }));
// Without the file the settings say so, and nothing is offered.
const PushOffer = lazy(() =>
  lazySettings().then(
    (loaded) => ({ default: loaded.PushOffer }),
    () => ({ default: () => null }),
  ),
);
const DoNow = lazy(async () => ({ default: (await lazyParts()).GuardianDoNow }));
const emergency = (view: GuardianView, reload: () => Promise<void>) => (
  <>
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
if (root) {
  createRoot(root).render(
    <FooterMore value={<StandingUpdateButton />}>
      <GuardianPage
        id={id}
        linkKey={key}
        link={link}
        incidents={(view, reload) => <Incidents id={id} view={view} link={link} emergency={emergency(view, reload)} reload={reload} />}
        emergency={emergency}
        settings={(view) => <Settings id={id} view={view} />}
      />
    </FooterMore>,
  );
}
