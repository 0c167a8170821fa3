import 'virtual:brand.css';
import './ui/base.css';
import './ui/parts.css';
import './app/layout.css';
import { createRoot } from 'react-dom/client';
import { SharePage } from './features/devices/share-page.tsx';
import { DownloadButtons } from './features/downloads/download-buttons.tsx';

const root = document.getElementById('root');
const code = decodeURIComponent(window.location.pathname.split('/share/')[1] ?? '');
if (root) createRoot(root).render(<SharePage code={code} downloads={(its) => <DownloadButtons code={its} />} />);
