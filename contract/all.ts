import { accountEndpoints } from './accounts.ts';
import { agentEndpoints } from './agent.ts';
import { alertEndpoints } from './alerts.ts';
import { careEndpoints } from './care.ts';
import { definitionEndpoints } from './definitions.ts';
import { detectionEndpoints } from './detections.ts';
import { deviceEndpoints } from './devices.ts';
import { downloadEndpoints } from './downloads.ts';
import { exceptionEndpoints } from './exceptions.ts';
import { guardianEndpoints } from './guardians.ts';
import { policyEndpoints } from './policies.ts';
import { paymentEventEndpoints, subscriptionEndpoints } from './subscriptions.ts';
import { supportEndpoints } from './support.ts';
import { updateEndpoints } from './updates.ts';

/** Every call there is. The matrix test walks it; callers use only its type, so no schema reaches the browser. */
export const api = {
  ...accountEndpoints,
  ...subscriptionEndpoints,
  ...paymentEventEndpoints,
  ...policyEndpoints,
  ...deviceEndpoints,
  ...exceptionEndpoints,
  ...downloadEndpoints,
  ...definitionEndpoints,
  ...detectionEndpoints,
  ...alertEndpoints,
  ...guardianEndpoints,
  ...careEndpoints,
  ...supportEndpoints,
  ...agentEndpoints,
  ...updateEndpoints,
};
export type Api = typeof api;
