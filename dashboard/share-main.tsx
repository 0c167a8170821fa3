import 'virtual:brand.css';
import './ui/base.css';
import './ui/components.css';
import './app/layout.css';
import { ShareApp } from './app/share-app.tsx';
import { takeOver } from './lib/take-over.ts';

const root = document.getElementById('root');
if (root) takeOver(root, <ShareApp code={codeIn(window.location.pathname)} />);

/** A text that cannot be decoded stays as it is, and is no code. */
function codeIn(path: string): string {
  const encodedCode = path.split('/share/')[1] ?? '';
  try {
    return decodeURIComponent(encodedCode);
  } catch {
    return encodedCode;
  }
}
