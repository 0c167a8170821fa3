import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';

/** Paths below /dashboard. */
export const paths = {
  home: '/',
  login: '/login',
  /** The login with a notice (2.31). */
  loginAfter: (notice: string) => `/login?notice=${notice}`,
  register: '/register',
  forgotPassword: '/forgot-password',
  verifyEmail: '/verify-email',
  subscribe: '/subscribe',
  /** The return addresses of the payment service (2.17, 2.18). */
  paid: '/stripe/success',
  notPaid: '/stripe/cancel',
  profile: '/profile',
  /** Opens the dialog for the phone code if needed (2.101). */
  verifyPhone: '/profile?verify-phone',
  password: '/profile/password',
  /** Passkeys, the authenticator app and recovery codes (P13.1). */
  signIn: '/profile/log-in',
  adminPin: '/profile/admin-pin',
  guardians: '/profile/guardians',
  /** To download the account's data, and to delete it. */
  account: '/profile/account',
  /** The holder's preview of a guardian's page. */
  guardian: (id: string) => `/profile/guardians/${id}`,
  alerts: '/profile/alerts',
  addDevice: (step: SetupStep = 'machine') => `/add-device?step=${step}`,
  device: (id: string) => `/devices/${id}`,
  /** `asked`: the device's user requested what was stopped, and the page asks the holder what to do. */
  deviceDetections: (id: string, detection?: string, asked = false) =>
    `/devices/${id}/detections${detection ? `?detectionId=${detection}${asked ? '&asked=1' : ''}` : ''}`,
  history: '/history',
  incident: (id: string) => `/incident/${id}`,
  allowList: (id: string) => `/devices/${id}/allowlist`,
  removeDevice: (id: string) => `/devices/${id}/remove-device`,
  /** What to do in a scam, for everybody (P9.5). */
  helpNow: '/help-now',
  policies: '/policies',
  /** `setup`: to return to adding a device afterwards. */
  newPolicy: (reason?: 'setup') => (reason ? `/policies/new?for=${reason}` : '/policies/new'),
  policy: (id: string) => `/policies/${id}`,
} as const;

/** Part of the address of adding a device (P3.7). */
export type SetupStep = 'machine' | 'policy' | 'download' | 'send';

/** Pages outside the app, or loaded afresh (P3.8). */
export const pages = {
  registerWith: (code: string) => `/dashboard/register/c/${encodeURIComponent(code)}`,
  login: '/dashboard/login',
  expired: '/dashboard/login?expired=1',
  /** An installer; a code becomes part of its file name (9.12). */
  download: (platform: InstallerPlatform, code?: string) =>
    `/downloads/${platform}${code === undefined ? '' : `?code=${encodeURIComponent(code)}`}`,
  share: (code: string) => `/dashboard/share/${code}`,
  whatWeRecognise: '/dashboard/what-we-recognise',
  helpNow: '/dashboard/help-now',
  terms: '/terms-of-service',
  privacy: '/privacy-policy',
} as const;
