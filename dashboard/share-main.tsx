import 'virtual:brand.css';
import './ui/base.css';
import './ui/components.css';
import './app/layout.css';
import { createRoot } from 'react-dom/client';
import { SharePage } from './features/devices/share-page.tsx';
import { DownloadButtons } from './features/downloads/download-buttons.tsx';
import { FooterMore } from './ui/footer.tsx';
import { optional } from './ui/optional.tsx';

const StandingUpdateButton = optional(async () => (await import('./app/standing-update-button.tsx')).StandingUpdateButton);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <FooterMore value={<StandingUpdateButton />}>
      <SharePage code={codeIn(window.location.pathname)} downloads={(shownCode) => <DownloadButtons code={shownCode} />} />
    </FooterMore>,
  );
}

/** A text that cannot be decoded stays as it is, and is no code. */
function codeIn(path: string): string {
  const encodedCode = path.split('/share/')[1] ?? '';
  try {
    return decodeURIComponent(encodedCode);
  } catch {
    return encodedCode;
  }
}
