import { Navigate, useLocation } from 'react-router';
import { YourData } from '../features/accounts/account-data/your-data.tsx';
import { AdminPin } from '../features/accounts/profile/admin-pin.tsx';
import { General } from '../features/accounts/profile/general.tsx';
import { Password } from '../features/accounts/profile/password.tsx';
import { GuardiansTab } from '../features/guardians/guardians-tab.tsx';
import { config } from '../lib/config.ts';
import { paths } from '../lib/paths.ts';
import { Link, NavLink } from '../ui/link.tsx';
import { pagePath } from '../ui/page-path.ts';
import { lazyScreen, WaitingRequests } from './lazy-screen.tsx';
import { messages } from './messages.ts';

const SignInMethods = lazyScreen(() => import('../features/accounts/sign-in/sign-in-methods.tsx'), 'SignInMethods');

const tabs = [
  { path: paths.profile, label: messages.profile.my, Panel: General },
  { path: paths.password, label: messages.profile.password, Panel: Password },
  { path: paths.adminPin, label: messages.profile.adminPin, Panel: AdminPin },
  ...(config.features.guardians ? [{ path: paths.guardians, label: messages.profile.guardians, Panel: GuardiansTab }] : []),
];
/** Pages without a tab, since clause 2.98 lists all tabs. */
const more = [
  { path: paths.signIn, label: messages.profile.signIn, Panel: SignInMethods },
  { path: paths.account, label: messages.profile.account, Panel: YourData },
];

/** Clause 2.98. */
export function ProfileScreen() {
  const { pathname } = useLocation();
  const open = [...tabs, ...more].find(({ path }) => path === pagePath(pathname));
  if (!open) return <Navigate to={paths.profile} replace />;
  return (
    <div className="wrap read">
      <h1>{messages.profile.heading}</h1>
      <nav className="tabs" aria-label={messages.profile.tabs}>
        {tabs.map(({ path, label }) => (
          <NavLink key={path} to={path} end>
            {label}
          </NavLink>
        ))}
      </nav>
      <WaitingRequests before />
      <open.Panel />
      <nav className="more" aria-label={messages.profile.more}>
        {more
          .filter(({ path }) => path !== open.path)
          .map(({ path, label }) => (
            <Link key={path} className="alone" to={path}>
              {label}
            </Link>
          ))}
      </nav>
    </div>
  );
}
