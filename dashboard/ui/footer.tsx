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

/** Additions by a standalone page. */
export const FooterMore = createContext<ReactNode>(null);

const year = new Date().getFullYear();

/** `children`: content that some pages add to the footer. */
export function Footer({ children }: { children?: ReactNode }) {
  const { title } = useSupport();
  const addedContent = useContext(FooterMore);
  return (
    <footer>
      <div className="wrap">
        <span>
          {messages.worried} <a href={pages.helpNow}>{messages.scam}</a> · <a href={pages.whatWeRecognise}>{messages.known}</a>
        </span>
        <span>
          {title} <SupportContacts />
        </span>
        {/* The year may have changed since the build rendered the page. */}
        <span suppressHydrationWarning>
          <a href="/terms-of-service">{messages.terms}</a> · <a href="/privacy-policy">{messages.privacy}</a> · © {year} {brand.name} ·{' '}
          {messages.version} {__VERSION__}
        </span>
        {children}
        {addedContent}
      </div>
    </footer>
  );
}
