import 'virtual:brand.css';
import '../ui/base.css';
import '../ui/components.css';
import '../app/layout.css';
import { createRoot } from 'react-dom/client';
import { cases } from './cases.tsx';

/** The address names the case: `#form`. */
const Case = cases[window.location.hash.slice(1)];
const root = document.getElementById('root');
if (!Case || !root) throw new Error(`There is no case ${window.location.hash}.`);
createRoot(root).render(
  <main id="page" tabIndex={-1}>
    <Case />
  </main>,
);
