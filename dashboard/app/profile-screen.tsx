import { Navigate, NavLink, useLocation } from 'react-router';
import { AdminPin } from '../features/accounts/profile/admin-pin.tsx';
import { General } from '../features/accounts/profile/general.tsx';
import { Password } from '../features/accounts/profile/password.tsx';
import { GuardiansTab } from '../features/guardians/guardians-tab.tsx';
import { config } from '../lib/config.ts';
import { paths } from '../lib/paths.ts';
import { lazyScreen } from './lazy-screen.tsx';
import { messages } from './messages.ts';

const SignInMethods = lazyScreen(() => import('../features/accounts/sign-in/sign-in-methods.tsx'), 'SignInMethods');

const tabs = [
  { path: paths.profile, label: messages.profile.my, Panel: General },
  { path: paths.password, label: messages.profile.password, Panel: Password },
  { path: paths.signIn, label: messages.profile.signIn, Panel: SignInMethods },
  { path: paths.adminPin, label: messages.profile.adminPin, Panel: AdminPin },
  ...(config.features.guardians ? [{ path: paths.guardians, label: messages.profile.guardians, Panel: GuardiansTab }] : []),
];

/** Clause 2.98. */
export function ProfileScreen() {
  const { pathname } = useLocation();
  const open = tabs.find(({ path }) => path === pathname.replace(/\/+$/, ''));
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
      <open.Panel />
    </div>
  );
}
