import 'virtual:brand.css';
import './ui/base.css';
import './ui/components.css';
import './app/layout.css';
import { GuardianApp } from './app/guardian-app.tsx';
import { takeOver } from './lib/take-over.ts';

const root = document.getElementById('root');
const [id = '', key = ''] = (window.location.pathname.split('/guardian/')[1] ?? '').split('/');
const link = new URLSearchParams(window.location.search);
// Removes the key from the address bar, history and referrer before anything is rendered. What the link is about stays.
if (key) window.history.replaceState(null, '', `/dashboard/guardian/${id}${window.location.search}`);
if (root) takeOver(root, <GuardianApp id={id} linkKey={key} link={link} />);
