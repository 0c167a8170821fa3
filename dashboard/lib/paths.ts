import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';

/** Every address of the dashboard, below /dashboard, and how it is built. */
export const paths = {
  home: '/',
  login: '/login',
  /** With the notice that is shown there (2.31). */
  loginAfter: (notice: string) => `/login?notice=${notice}`,
  register: '/register',
  forgotPassword: '/forgot-password',
  verifyEmail: '/verify-email',
  subscribe: '/subscribe',
  /** Where the payment service leads back to, paid or not (2.17, 2.18). */
  paid: '/stripe/success',
  notPaid: '/stripe/cancel',
  profile: '/profile',
  /** Opens the dialog for the phone's code, when the number needs it (2.101). */
  verifyPhone: '/profile?verify-phone',
  password: '/profile/password',
  adminPin: '/profile/admin-pin',
  guardians: '/profile/guardians',
  /** What this guardian sees, for the holder. */
  guardian: (id: string) => `/profile/guardians/${id}`,
  /** How and when the holder is told, the practice alert, and what was changed. */
  alerts: '/profile/alerts',
  addDevice: (step: SetupStep = 'machine') => `/add-device?step=${step}`,
  device: (id: string) => `/devices/${id}`,
  /** `asked`: somebody there wants what was stopped, and the page asks what to do. */
  deviceDetections: (id: string, detection?: string, asked = false) =>
    `/devices/${id}/detections${detection ? `?detectionId=${detection}${asked ? '&asked=1' : ''}` : ''}`,
  /** All alerts of all devices, to read without a plan too. */
  history: '/history',
  allowList: (id: string) => `/devices/${id}/allowlist`,
  removeDevice: (id: string) => `/devices/${id}/remove-device`,
  policies: '/policies',
  /** `setup`: in the middle of adding a device, to which one goes back. */
  newPolicy: (reason?: 'setup') => (reason ? `/policies/new?for=${reason}` : '/policies/new'),
  policy: (id: string) => `/policies/${id}`,
} as const;

/** The steps of add-device stand in its address (P3.7). */
export type SetupStep = 'machine' | 'policy' | 'download' | 'send';

/** Outside the app, or loaded anew: pages of their own, and legal pages at the root (P3.8). */
export const pages = {
  registerWith: (code: string) => `/dashboard/register/c/${encodeURIComponent(code)}`,
  login: '/dashboard/login',
  expired: '/dashboard/login?expired=1',
  /** An installer; with a code it stands in the file's name (9.12). */
  download: (platform: InstallerPlatform, code?: string) =>
    `/downloads/${platform}${code === undefined ? '' : `?code=${encodeURIComponent(code)}`}`,
  share: (code: string) => `/dashboard/share/${code}`,
  whatWeRecognise: '/dashboard/what-we-recognise',
  terms: '/terms-of-service',
  privacy: '/privacy-policy',
} as const;
