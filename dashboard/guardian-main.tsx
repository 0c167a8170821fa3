import 'virtual:brand.css';
import './ui/base.css';
import './ui/components.css';
import './app/layout.css';
import { createRoot } from 'react-dom/client';
import { GuardianPage } from './features/guardians/guardian-page/guardian-page.tsx';
import { FooterMore } from './ui/footer.tsx';
import { optional } from './ui/optional.tsx';

const StandingUpdateButton = optional(async () => (await import('./app/standing-update-button.tsx')).StandingUpdateButton);

const root = document.getElementById('root');
const [id = '', key = ''] = (window.location.pathname.split('/guardian/')[1] ?? '').split('/');
// Removes the key from the address bar, history and referrer before anything is rendered.
if (key) window.history.replaceState(null, '', `/dashboard/guardian/${id}`);
if (root) {
  createRoot(root).render(
    <FooterMore value={<StandingUpdateButton />}>
      <GuardianPage id={id} linkKey={key} />
    </FooterMore>,
  );
}
