import { NavLink, useLocation } from 'react-router';
import { useProfile } from '../features/accounts/queries.ts';
import { GuardiansTab } from '../features/guardians/guardians-tab.tsx';
import { config } from '../lib/config.ts';
import { paths } from '../lib/paths.ts';
import { Loading } from '../ui/loading.tsx';
import { t } from './texts.ts';

export function ProfileScreen() {
  const { pathname } = useLocation();
  return (
    <div className="wrap read">
      <h1>{t.profile.heading}</h1>
      <nav className="tabs" aria-label={t.profile.tabs}>
        <NavLink to={paths.profile} end>
          {t.profile.my}
        </NavLink>
        {config.features.guardians && <NavLink to={paths.guardians}>{t.profile.guardians}</NavLink>}
      </nav>
      {pathname === paths.guardians ? <GuardiansTab /> : <MyProfile />}
    </div>
  );
}

function MyProfile() {
  const profile = useProfile();
  return (
    <Loading of={profile}>
      {({ name, email, email_verified }) => (
        <dl className="card four">
          <div>
            <dt>{t.profile.name}</dt>
            <dd>{name}</dd>
          </div>
          <div>
            <dt>{t.profile.email}</dt>
            <dd>
              {email}{' '}
              <span className={`tag ${email_verified ? 'safe' : 'look'}`}>
                {email_verified ? t.profile.verified : t.profile.notVerified}
              </span>
            </dd>
          </div>
        </dl>
      )}
    </Loading>
  );
}
