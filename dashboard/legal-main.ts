// The legal pages are plain documents: this only gives them the look of the rest.
import 'virtual:brand.css';
import './ui/base.css';
import './ui/parts.css';
import './app/layout.css';
