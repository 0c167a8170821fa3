import { brand } from '@porchlight/contract/brand.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { logOut } from '../features/accounts/log-out.ts';
import { config } from '../lib/config.ts';
import { paths } from '../lib/paths.ts';
import { useAuthenticated } from '../lib/session.ts';
import { Footer } from '../ui/footer.tsx';
import { Lamp } from '../ui/lamp.tsx';
import { Link, NavLink } from '../ui/link.tsx';
import { optional } from '../ui/optional.tsx';
import { pagePath } from '../ui/page-path.ts';
import { SkipLink } from '../ui/skip-link.tsx';
import { SupportLink } from '../ui/support.tsx';
import { messages } from './messages.ts';
import './layout.css';

const Banners = optional(async () => (await import('./screens.tsx')).Banners);
const UpdateButton = optional(async () => (await import('./update-button.tsx')).UpdateButton);
const Integrations = optional(async () => (await import('./integrations/integrations.tsx')).Integrations);
const hasIntegrations = config.chat ?? config.error_reporting ?? config.analytics;

export function Layout({ children }: { children: ReactNode }) {
  const authenticated = useAuthenticated();
  // Users who are registering or choosing a plan have no dashboard yet (2.42, 2.129). The router treats `/subscribe/` as `/subscribe`.
  const path = pagePath(useLocation().pathname);
  const registering = path.startsWith(paths.register) || path === paths.verifyEmail || path === paths.subscribe;
  return (
    <>
      <SkipLink />
      <header className="top">
        <div className="wrap">
          <Link className="brand" to={paths.home}>
            <Lamp />
            {brand.name}
          </Link>
          <nav aria-label={messages.nav.label} className={authenticated ? 'wide' : ''}>
            {(registering || !authenticated) && <SupportLink>{messages.nav.help}</SupportLink>}
            {authenticated && <HolderNav registering={registering} />}
          </nav>
        </div>
      </header>
      {authenticated && <Banners registering={registering} />}
      <Page>{children}</Page>
      <Footer>
        {/* The empty element reserves the space, to avoid a layout shift. */}
        <div>
          <UpdateButton />
        </div>
        {hasIntegrations && <Integrations />}
      </Footer>
    </>
  );
}

/** Each navigation moves the focus here, for screen readers and the keyboard. */
function Page({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const lastPathname = useRef(pathname);
  useEffect(() => {
    if (lastPathname.current === pathname) return;
    lastPathname.current = pathname;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);
  return (
    <main id="page" ref={main} tabIndex={-1}>
      {children}
    </main>
  );
}

function HolderNav({ registering }: { registering: boolean }) {
  return (
    <>
      {!registering && (
        <NavLink to={paths.home} end>
          {messages.nav.dashboard}
        </NavLink>
      )}
      <NavLink to={paths.profile}>{messages.nav.profile}</NavLink>
      <LogOut />
    </>
  );
}

function LogOut() {
  const navigate = useNavigate();
  const onLogout = () => {
    logOut();
    // On pages that are open to anyone the guard does not redirect.
    void navigate(paths.login);
  };
  return (
    <button type="button" onClick={onLogout}>
      {messages.nav.logout}
    </button>
  );
}
