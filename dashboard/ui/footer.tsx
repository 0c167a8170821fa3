import { brand } from '@porchlight/contract/brand.ts';
import { createContext, type ReactNode, useContext } from 'react';
import { pages } from '../lib/paths.ts';
import { useSupport } from '../lib/support.ts';
import { SupportContacts } from './support.tsx';

const messages = {
  worried: 'Worried right now?',
  scam: 'I think I am being scammed',
  known: 'What we recognize',
  terms: 'Terms',
  privacy: 'Privacy',
  version: 'Version',
};

/** Filled by a page that stands alone, for what its footer has beside what every footer has. */
export const FooterMore = createContext<ReactNode>(null);

const year = new Date().getFullYear();

/** The same on every page, also for guardians and on not found: help with a scam, support, whose page this is. `children`: what only some pages have. */
export function Footer({ children }: { children?: ReactNode }) {
  const { title } = useSupport();
  const more = useContext(FooterMore);
  return (
    <footer>
      <div className="wrap">
        <span>
          {messages.worried} <a href={brand.scam_help_url}>{messages.scam}</a> · <a href={pages.whatWeRecognise}>{messages.known}</a>
        </span>
        <span>
          {title} <SupportContacts />
        </span>
        <span>
          <a href="/terms-of-service">{messages.terms}</a> · <a href="/privacy-policy">{messages.privacy}</a> · © {year} {brand.name} ·{' '}
          {messages.version} {__VERSION__}
        </span>
        {children}
        {more}
      </div>
    </footer>
  );
}
