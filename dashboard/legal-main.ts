// The legal pages are plain documents: this gives them the look of the rest, and says when there is a newer one (2.22).
import 'virtual:brand.css';
import './ui/base.css';
import './ui/components.css';
import './app/layout.css';
import { updateMessage, watchVersion } from './lib/newer-version.ts';

const place = document.getElementById('newer');
const button = document.createElement('button');
button.type = 'button';
button.className = 'btn quiet';
button.textContent = updateMessage;
button.addEventListener('click', () => window.location.reload());
watchVersion((newer) => place?.replaceChildren(...(newer ? [button] : [])));
