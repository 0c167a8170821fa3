import { brand } from '@porchlight/contract/brand.ts';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link, NavLink, useLocation, useNavigate } from 'react-router';
import { useLogout, useProfile } from '../features/accounts/queries.ts';
import { phoneNumberRequiresVerification } from '../features/accounts/rules.ts';
import { config } from '../lib/config.ts';
import { paths } from '../lib/paths.ts';
import { useAuthenticated } from '../lib/session.ts';
import { Footer } from '../ui/footer.tsx';
import { Lamp } from '../ui/lamp.tsx';
import { t } from './texts.ts';
import { UpdateButton } from './update-button.tsx';
import './layout.css';

const Outside = lazy(async () => ({ default: (await import('./outside/outside.tsx')).Outside }));
const somethingOutside = config.chat ?? config.error_reporting ?? config.analytics;

/** What is around every screen: header with the nav, banners, footer. */
export function Layout({ children }: { children: ReactNode }) {
  const authenticated = useAuthenticated();
  return (
    <>
      <a className="skip" href="#page">
        {t.skip}
      </a>
      <header className="top">
        <div className="wrap">
          <Link className="brand" to={paths.home}>
            <Lamp />
            {brand.name}
          </Link>
          <nav aria-label={t.nav.label} className={authenticated ? 'wide' : ''}>
            {authenticated ? <HolderNav /> : <a href={`mailto:${brand.support.email}`}>{t.nav.help}</a>}
          </nav>
        </div>
      </header>
      {authenticated && config.features.unverified_banner && <UnverifiedBanner />}
      {authenticated && <PhoneBanner />}
      <Page>{children}</Page>
      <Footer>
        <UpdateButton />
        {somethingOutside && (
          <Suspense fallback={null}>
            <Outside />
          </Suspense>
        )}
      </Footer>
    </>
  );
}

/** The page itself. Each navigation moves the focus to it, so that a screen reader and the keyboard start where the new page does. */
function Page({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);
  return (
    <main id="page" ref={main} tabIndex={-1}>
      {children}
    </main>
  );
}

function HolderNav() {
  const logout = useLogout();
  const navigate = useNavigate();
  // Both at once: the guard would else lead to the login by itself, and remember this page for whoever logs in next.
  const onLogout = () => {
    logout();
    void navigate(paths.login);
  };
  return (
    <>
      <NavLink to={paths.home} end>
        {t.nav.dashboard}
      </NavLink>
      <NavLink to={paths.profile}>{t.nav.profile}</NavLink>
      <button type="button" onClick={onLogout}>
        {t.nav.logout}
      </button>
    </>
  );
}

function UnverifiedBanner() {
  const { data } = useProfile();
  const { pathname } = useLocation();
  if (!data || data.email_verified || pathname === paths.verifyEmail) return null;
  return (
    <div className="banner" role="status">
      <div className="wrap">
        <span>{t.unverified}</span>
        <Link className="alone" to={paths.verifyEmail}>
          {t.verify}
        </Link>
      </div>
    </div>
  );
}

/** Until the code of the phone was entered (2.45). */
function PhoneBanner() {
  const { data } = useProfile();
  if (!data || !phoneNumberRequiresVerification(data, config.features)) return null;
  return (
    <div className="banner" role="status">
      <div className="wrap">
        <span>{t.unverifiedPhone}</span>
        <Link className="alone" to={paths.verifyPhone}>
          {t.verifyPhone}
        </Link>
      </div>
    </div>
  );
}
