import { brand } from '@porchlight/contract/brand.ts';
import type { ReactNode } from 'react';
import { Footer } from './footer.tsx';
import { Lamp } from './lamp.tsx';
import { SkipLink } from './skip-link.tsx';
import { SupportLink } from './support.tsx';

export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <header className="top">
        <div className="wrap">
          <span className="brand">
            <Lamp />
            {brand.name}
          </span>
          <nav aria-label="Help">
            <SupportLink>Help</SupportLink>
          </nav>
        </div>
      </header>
      <main id="page" tabIndex={-1}>
        <div className="wrap read stack-l">{children}</div>
      </main>
      <Footer />
    </>
  );
}
