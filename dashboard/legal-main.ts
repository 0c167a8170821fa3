// The script of the legal pages, which are plain documents: adds the styles, and offers a newer version (2.22).
import 'virtual:brand.css';
import './ui/base.css';
import './ui/components.css';
import './app/layout.css';
import { updateWords, watchVersion } from './lib/newer-version.ts';

const container = document.getElementById('newer');
const button = document.createElement('button');
button.type = 'button';
button.className = 'btn quiet';
button.textContent = updateWords;
button.addEventListener('click', () => window.location.reload());
watchVersion((newer) => container?.replaceChildren(...(newer ? [button] : [])));
