import { Navigate } from 'react-router';
import { paths } from '../lib/paths.ts';
import { helpNowRoute } from './guest-routes.tsx';
import { lazyScreen } from './lazy-screen.tsx';
import type { RouteRow } from './use-route.ts';

const DeviceArea = lazyScreen(() => import('./device-area.tsx'), 'DeviceArea');
const Profile = lazyScreen(() => import('./profile-screen.tsx'), 'ProfileScreen');
const subscriptions = () => import('./subscriptions.tsx');
const policies = () => import('./policies.tsx');
const incident = () => import('./incident.tsx');
const profile = { access: 'login', allows_unverified: true, allows_unsubscribed: true } as const;

/** Section 2 of the specification; `guest-routes.tsx` has the guests' routes. */
export const routes: RouteRow[] = [
  { path: '/', access: 'login', title: 'Dashboard', screen: lazyScreen(() => import('./home/home-screen.tsx'), 'HomeScreen') },
  {
    path: '/verify-email',
    ...profile,
    title: 'Check your inbox',
    screen: lazyScreen(() => import('../features/accounts/verify-email-screen.tsx'), 'VerifyEmailScreen'),
  },
  {
    path: '/confirm-email/:token',
    access: 'open',
    title: 'Confirm your email',
    screen: lazyScreen(() => import('../features/accounts/confirm-email-screen.tsx'), 'ConfirmEmailScreen'),
  },
  {
    path: '/confirm-email-change/:token',
    access: 'open',
    title: 'Confirm your new email',
    screen: lazyScreen(() => import('../features/accounts/confirm-email-change-screen.tsx'), 'ConfirmEmailChangeScreen'),
  },
  {
    path: '/keep-account/:token',
    access: 'open',
    title: 'Keep the account',
    screen: lazyScreen(() => import('../features/accounts/account-data/keep-account-screen.tsx'), 'KeepAccountScreen'),
  },
  {
    path: '/remove-sign-in/:token',
    access: 'open',
    title: 'Remove a way to log in',
    screen: lazyScreen(() => import('../features/accounts/sign-in/removal-screen.tsx'), 'RemovalScreen'),
  },
  { path: '/subscribe', access: 'login', allows_unsubscribed: true, title: 'Subscribe', screen: lazyScreen(subscriptions, 'Subscribe') },
  { path: '/stripe/success', ...profile, title: 'Please wait', screen: lazyScreen(subscriptions, 'PaymentSuccessScreen') },
  { path: '/stripe/cancel', access: 'open', title: 'Dashboard', screen: RedirectHome },
  { path: '/profile', ...profile, title: 'My Profile', screen: Profile },
  { path: '/profile/password', ...profile, title: 'Password', screen: Profile },
  { path: '/profile/log-in', ...profile, title: 'How you log in', screen: Profile },
  { path: '/profile/admin-pin', ...profile, title: 'Admin PIN', screen: Profile },
  { path: '/profile/guardians', ...profile, title: 'Guardians', screen: Profile },
  { path: '/profile/account', ...profile, title: 'Your data', screen: Profile },
  {
    path: '/profile/guardians/:guardianId',
    ...profile,
    title: 'What your guardian sees',
    screen: lazyScreen(() => import('../features/guardians/preview-screen.tsx'), 'PreviewScreen'),
  },
  {
    path: '/profile/alerts',
    ...profile,
    title: 'Alerts',
    screen: lazyScreen(() => import('./alerts-screen.tsx'), 'AlertsScreen'),
  },
  { path: '/add-device', access: 'login', title: 'Add a device', screen: lazyScreen(() => import('./add-device.tsx'), 'AddDevice') },
  { path: '/devices/:deviceId', access: 'login', title: 'Device', screen: DeviceArea },
  { path: '/devices/:deviceId/detections', access: 'login', title: 'Alert History', screen: DeviceArea },
  { path: '/devices/:deviceId/allowlist', access: 'login', title: 'Allow List', screen: DeviceArea },
  { path: '/devices/:deviceId/remove-device', access: 'login', title: 'Remove Device', screen: DeviceArea },
  { path: '/policies', access: 'login', title: 'Protection profiles', screen: lazyScreen(policies, 'Policies') },
  { path: '/policies/new', access: 'login', title: 'Make your own profile', screen: lazyScreen(policies, 'NewPolicy') },
  { path: '/policies/:policyId', access: 'login', title: 'Change a profile', screen: lazyScreen(policies, 'Policy') },
  {
    path: '/detection/:detectionId',
    access: 'login',
    title: 'Alert',
    screen: lazyScreen(() => import('../features/detections/detection-redirect.tsx'), 'DetectionRedirect'),
  },
  {
    path: '/history',
    access: 'login',
    allows_unsubscribed: true,
    title: 'Alert History',
    screen: lazyScreen(() => import('./history.tsx'), 'History'),
  },
  {
    path: '/incident/:incidentId',
    access: 'login',
    allows_unsubscribed: true,
    title: 'What happened',
    screen: lazyScreen(incident, 'IncidentScreen'),
  },
  {
    path: '/incident/:incidentId/print',
    access: 'login',
    allows_unsubscribed: true,
    title: 'Incident report',
    screen: lazyScreen(incident, 'PrintIncidentScreen'),
  },
  {
    path: '/free-download',
    access: 'open',
    title: 'Free plan',
    screen: lazyScreen(() => import('../features/downloads/free-download-screen.tsx'), 'FreeDownloadScreen'),
  },
  {
    path: '/what-we-recognise',
    access: 'open',
    title: 'What we recognize',
    screen: lazyScreen(() => import('../features/definitions/what-we-recognise-screen.tsx'), 'WhatWeRecogniseScreen'),
  },
  helpNowRoute,
  { path: '/dashboard', access: 'open', title: 'Dashboard', screen: RedirectHome },
  { path: '*', access: 'open', title: 'Page Not Found', screen: lazyScreen(() => import('./not-found.tsx'), 'NotFound') },
];

function RedirectHome() {
  return <Navigate to={paths.home} replace />;
}
