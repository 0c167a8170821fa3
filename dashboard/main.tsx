import 'virtual:brand.css';
import './ui/base.css';
import './ui/components.css';
import { StrictMode } from 'react';
import { App, loadPage } from './app/app.tsx';
import { token } from './lib/session.ts';
import { takeOver } from './lib/take-over.ts';

const root = document.getElementById('root');
const page = (
  <StrictMode>
    <App />
  </StrictMode>
);
if (root?.hasChildNodes()) {
  loadPage(window.location.pathname).then(
    () => takeOver(root, page, token() === null),
    // The page itself shows what failed.
    () => takeOver(root, page, false),
  );
} else if (root) takeOver(root, page);
