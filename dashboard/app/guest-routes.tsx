import { lazyScreen } from './lazy-screen.tsx';
import type { RouteRow } from './use-route.ts';

const Register = lazyScreen(() => import('./register.tsx'), 'Register');

/** Open to everybody: logged-in users reach it through the other screens, which name who supports their account (1.4). */
export const helpNowRoute: RouteRow = {
  path: '/help-now',
  access: 'open',
  title: 'I think I am being scammed',
  screen: lazyScreen(() => import('../features/emergency/help-now-screen.tsx'), 'HelpNowScreen'),
};

/** Guests' routes are separate, so that other screens do not add to a guest's first load. */
export const guestRoutes: RouteRow[] = [
  {
    path: '/login',
    access: 'guest',
    title: 'Log in',
    screen: lazyScreen(() => import('../features/accounts/login-screen.tsx'), 'LoginScreen'),
  },
  { path: '/register/c/:signupCode', access: 'guest', title: 'Register', screen: Register },
  { path: '/register/:promo?', access: 'guest', title: 'Register', screen: Register },
  {
    path: '/forgot-password',
    access: 'guest',
    title: 'Forgot password',
    screen: lazyScreen(() => import('../features/accounts/forgot-password-screen.tsx'), 'ForgotPasswordScreen'),
  },
  {
    path: '/reset-password/:resetToken',
    access: 'guest',
    title: 'New password',
    screen: lazyScreen(() => import('../features/accounts/reset-password-screen.tsx'), 'ResetPasswordScreen'),
  },
  helpNowRoute,
];
