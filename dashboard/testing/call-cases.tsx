import type { ComponentType } from 'react';
import { CallConsent } from '../features/call-consent/call-consent.tsx';
import { GuardiansTab } from '../features/guardians/guardians-tab.tsx';
import { WithQueries } from './with-queries.tsx';

/** The cases of phone calls; the tests answer their calls. */

const uuid = '11111111-1111-4111-8111-111111111111';
const mum = { name: 'Mum', phone_number: '+12025550199', is_holder: false };

export const callCases: Record<string, ComponentType> = {
  'call-order': () => (
    <WithQueries>
      <h1>Profile</h1>
      <GuardiansTab />
    </WithQueries>
  ),
  'call-consent': () => (
    <WithQueries>
      <h1>Den PC</h1>
      <CallConsent device={{ uuid, name: 'Den PC', person: mum }} hint />
    </WithQueries>
  ),
  'call-consent-own': () => (
    <WithQueries>
      <h1>Den PC</h1>
      <CallConsent device={{ uuid, name: 'Den PC', person: null }} hint />
    </WithQueries>
  ),
};
