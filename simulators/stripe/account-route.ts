import { type Route, route } from './route.ts';

export const accountRoutes: Route[] = [
  route('GET /v1/account', {}, ({ state }) => ({
    id: state.account_id,
    object: 'account',
    business_profile: { name: 'Test shop', url: null },
    charges_enabled: true,
    country: 'US',
    default_currency: 'usd',
    details_submitted: true,
    email: null,
    metadata: {},
    payouts_enabled: true,
    type: 'standard',
  })),
];
