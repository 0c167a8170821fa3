import { config } from '../lib/config.ts';

/** FEATURE_GUARDIANS: without guardians only the holder is notified. */
const has = config.features.guardians;

export const messages = {
  nav: { label: 'Main', dashboard: 'Dashboard', profile: 'Profile', logout: 'Log out', help: 'Help' },
  unverified: 'Your email address is not verified. Check your inbox to verify your email.',
  verify: 'Verify my email',
  unverifiedPhone: 'Your phone number is not verified.',
  verifyPhone: 'Verify my phone number',
  notFound: { heading: 'Page Not Found. The requested page could not be found.', home: 'Go to log in' },
  profile: {
    heading: 'Profile',
    tabs: 'Profile pages',
    my: 'My Profile',
    password: 'Password',
    more: 'More of your profile',
    signIn: 'How you log in: passkeys and authenticator app',
    adminPin: 'Admin PIN',
    guardians: 'Guardians',
    account: 'Your data: download or delete your account',
  },
  area: { tabs: 'Device pages', back: 'Back to dashboard' },
  alerts: {
    back: has ? 'Back to guardians' : 'Back to my profile',
    heading: 'Alerts',
    lead: `How we reach you${has ? ' and your guardians' : ''}, and what changed.`,
  },
} as const;
