import type { ComponentType } from 'react';
import type { RouteRule } from './guard.ts';
import { load, type Screen } from './lazy-screen.tsx';
import { RedirectHome } from './to-home.tsx';

export interface RouteRow extends RouteRule {
  path: string;
  screen: ComponentType & Partial<Pick<Screen, 'fetch'>>;
  /** For the window's title. */
  title: string;
}

const DeviceArea = load(() => import('./device-area.tsx'), 'DeviceArea');
const Profile = load(() => import('./profile-screen.tsx'), 'ProfileScreen');
const Register = load(() => import('./register.tsx'), 'Register');
const subscriptions = () => import('./subscriptions.tsx');
const policies = () => import('./policies.tsx');
const profile = { access: 'login', allows_unverified: true, allows_unsubscribed: true } as const;

/** The routes of section 2 of the specification, as data. The guardian's page and the share page have documents of their own. */
export const routes: RouteRow[] = [
  { path: '/', access: 'login', title: 'Dashboard', screen: load(() => import('./home/home-screen.tsx'), 'HomeScreen') },
  { path: '/login', access: 'guest', title: 'Log in', screen: load(() => import('../features/accounts/login-screen.tsx'), 'LoginScreen') },
  { path: '/register/c/:signupCode', access: 'guest', title: 'Register', screen: Register },
  { path: '/register/:promo?', access: 'guest', title: 'Register', screen: Register },
  {
    path: '/forgot-password',
    access: 'guest',
    title: 'Forgot password',
    screen: load(() => import('../features/accounts/forgot-password-screen.tsx'), 'ForgotPasswordScreen'),
  },
  {
    path: '/reset-password/:resetToken',
    access: 'guest',
    title: 'New password',
    screen: load(() => import('../features/accounts/reset-password-screen.tsx'), 'ResetPasswordScreen'),
  },
  {
    path: '/verify-email',
    ...profile,
    title: 'Check your inbox',
    screen: load(() => import('../features/accounts/verify-email-screen.tsx'), 'VerifyEmailScreen'),
  },
  {
    path: '/confirm-email/:token',
    access: 'open',
    title: 'Confirm your email',
    screen: load(() => import('../features/accounts/confirm-email-screen.tsx'), 'ConfirmEmailScreen'),
  },
  {
    path: '/confirm-email-change/:token',
    access: 'open',
    title: 'Confirm your new email',
    screen: load(() => import('../features/accounts/confirm-email-change-screen.tsx'), 'ConfirmEmailChangeScreen'),
  },
  { path: '/subscribe', access: 'login', allows_unsubscribed: true, title: 'Subscribe', screen: load(subscriptions, 'Subscribe') },
  // Who has paid is kept from here by nothing.
  { path: '/stripe/success', ...profile, title: 'Please wait', screen: load(subscriptions, 'PaymentSuccessScreen') },
  { path: '/stripe/cancel', access: 'open', title: 'Dashboard', screen: RedirectHome },
  { path: '/profile', ...profile, title: 'My Profile', screen: Profile },
  { path: '/profile/password', ...profile, title: 'Password', screen: Profile },
  { path: '/profile/admin-pin', ...profile, title: 'Admin PIN', screen: Profile },
  { path: '/profile/guardians', ...profile, title: 'Guardians', screen: Profile },
  {
    path: '/profile/guardians/:guardianId',
    ...profile,
    title: 'What your guardian sees',
    screen: load(() => import('../features/guardians/preview-screen.tsx'), 'PreviewScreen'),
  },
  {
    path: '/profile/alerts',
    ...profile,
    title: 'Alerts',
    screen: load(() => import('./alerts-screen.tsx'), 'AlertsScreen'),
  },
  { path: '/add-device', access: 'login', title: 'Add a device', screen: load(() => import('./add-device.tsx'), 'AddDevice') },
  { path: '/devices/:deviceId', access: 'login', title: 'Device', screen: DeviceArea },
  { path: '/devices/:deviceId/detections', access: 'login', title: 'Alert History', screen: DeviceArea },
  { path: '/devices/:deviceId/allowlist', access: 'login', title: 'Allow List', screen: DeviceArea },
  { path: '/devices/:deviceId/remove-device', access: 'login', title: 'Remove Device', screen: DeviceArea },
  { path: '/policies', access: 'login', title: 'Protection profiles', screen: load(policies, 'Policies') },
  { path: '/policies/new', access: 'login', title: 'Make your own profile', screen: load(policies, 'NewPolicy') },
  { path: '/policies/:policyId', access: 'login', title: 'Change a profile', screen: load(policies, 'Policy') },
  {
    path: '/detection/:detectionId',
    access: 'login',
    title: 'Alert',
    screen: load(() => import('../features/detections/detection-redirect.tsx'), 'DetectionRedirect'),
  },
  {
    path: '/history',
    access: 'login',
    allows_unsubscribed: true,
    title: 'Alert History',
    screen: load(() => import('./history.tsx'), 'History'),
  },
  {
    path: '/free-download',
    access: 'open',
    title: 'Free plan',
    screen: load(() => import('../features/downloads/free-download-screen.tsx'), 'FreeDownloadScreen'),
  },
  {
    path: '/what-we-recognise',
    access: 'open',
    title: 'What we recognise',
    screen: load(() => import('../features/definitions/what-we-recognise-screen.tsx'), 'WhatWeRecogniseScreen'),
  },
  { path: '/dashboard', access: 'open', title: 'Dashboard', screen: RedirectHome },
  { path: '*', access: 'open', title: 'Page Not Found', screen: load(() => import('./not-found.tsx'), 'NotFound') },
];
