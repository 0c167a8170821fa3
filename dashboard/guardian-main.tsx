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
const link = new URLSearchParams(window.location.search);
// Removes the key from the address bar, history and referrer before anything is rendered. What the link is about stays.
if (key) window.history.replaceState(null, '', `/dashboard/guardian/${id}${window.location.search}`);

/** Loaded on demand: an incident is rare, and the page's first load is small. */
const Incidents = lazy(async () => ({ default: (await import('./features/incidents/guardian-incidents.tsx')).GuardianIncidents }));
const CodeProof = lazy(async () => ({ default: (await import('./features/incidents/code-proof.tsx')).CodeProof }));
if (root) {
  createRoot(root).render(
    <FooterMore value={<StandingUpdateButton />}>
      <GuardianPage
        id={id}
        linkKey={key}
        link={link}
        incidents={(view, reload) => <Incidents id={id} view={view} link={link} reload={reload} />}
        proof={(request) => <CodeProof id={id} {...request} />}
      />
    </FooterMore>,
  );
}
