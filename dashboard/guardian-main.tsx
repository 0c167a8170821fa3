import 'virtual:brand.css';
import './ui/base.css';
import './ui/components.css';
import './app/layout.css';
import { lazy } from 'react';
import { createRoot } from 'react-dom/client';
import { GuardianPage } from './features/guardians/guardian-page/guardian-page.tsx';
import { FooterMore } from './ui/footer.tsx';
import { optional } from './ui/optional.tsx';

const StandingUpdateButton = optional(async () => (await import('./app/standing-update-button.tsx')).StandingUpdateButton);

const root = document.getElementById('root');
const [id = '', key = ''] = (window.location.pathname.split('/guardian/')[1] ?? '').split('/');
const search = new URLSearchParams(window.location.search);
// Removes the key from the address bar, history and referrer before anything is rendered. What the link is about stays.
if (key) window.history.replaceState(null, '', `/dashboard/guardian/${id}${window.location.search}`);

/** Loaded on demand: an incident is rare, and the page's first load is small. */
const Questions = lazy(async () => ({ default: (await import('./features/incidents/guardian-questions.tsx')).GuardianQuestions }));
const Incident = lazy(async () => ({ default: (await import('./features/incidents/guardian-incident.tsx')).GuardianIncident }));
const wanted = search.get('request');
const incident = search.get('incident');
if (root) {
  createRoot(root).render(
    <FooterMore value={<StandingUpdateButton />}>
      <GuardianPage
        id={id}
        linkKey={key}
        wantedRequest={wanted}
        questions={(view, reload) => <Questions id={id} view={view} wanted={wanted} reload={reload} />}
        incident={incident === null ? null : (view) => <Incident id={id} uuid={incident} view={view} print={search.has('print')} />}
      />
    </FooterMore>,
  );
}
