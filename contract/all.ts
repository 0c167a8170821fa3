import { accountDataEndpoints } from './account-data.ts';
import { accountEndpoints } from './accounts.ts';
import { activityLogEndpoints } from './activity-log.ts';
import { agentEndpoints } from './agent.ts';
import { agentChangesEndpoint } from './agent-changes.ts';
import { alertSettingsEndpoints } from './alert-settings.ts';
import { alertEndpoints } from './alerts.ts';
import { allowListEndpoints } from './allow-list.ts';
import { appointmentEndpoints } from './appointments.ts';
import { browsingProtectionEndpoints } from './browsing-protection.ts';
import { callConsentEndpoints, callEndpoints } from './calls.ts';
import { definitionEndpoints } from './definitions.ts';
import { detectionEndpoints } from './detections.ts';
import { deviceEndpoints } from './devices.ts';
import { downloadEndpoints } from './downloads.ts';
import { emergencyEndpoints } from './emergency-stops.ts';
import { fireDrillEndpoints } from './fire-drill.ts';
import { guardianEndpoints } from './guardians.ts';
import { heldRequestEndpoints } from './held-requests.ts';
import { incidentEndpoints } from './incidents.ts';
import { answerCodeEndpoints } from './may-answer.ts';
import { oneTimeCodeEndpoints } from './one-time-codes.ts';
import { policyEndpoints } from './policies.ts';
import { pushEndpoints } from './push.ts';
import { signInEndpoints } from './sign-in-methods.ts';
import { paymentEventEndpoints, subscriptionEndpoints } from './subscriptions.ts';
import { supportEndpoints } from './support.ts';
import { unlistedProtectionEndpoints } from './unlisted-protection.ts';
import { updateEndpoints } from './updates.ts';

/** Callers import only the type of `api`, so no schema reaches the browser. */
export const api = {
  ...accountEndpoints,
  ...signInEndpoints,
  ...accountDataEndpoints,
  ...subscriptionEndpoints,
  ...paymentEventEndpoints,
  ...policyEndpoints,
  ...deviceEndpoints,
  ...allowListEndpoints,
  ...downloadEndpoints,
  ...definitionEndpoints,
  ...detectionEndpoints,
  ...alertEndpoints,
  ...guardianEndpoints,
  ...activityLogEndpoints,
  ...callEndpoints,
  ...incidentEndpoints,
  ...heldRequestEndpoints,
  ...answerCodeEndpoints,
  ...emergencyEndpoints,
  ...oneTimeCodeEndpoints,
  ...appointmentEndpoints,
  ...alertSettingsEndpoints,
  ...pushEndpoints,
  ...browsingProtectionEndpoints,
  ...unlistedProtectionEndpoints,
  ...callConsentEndpoints,
  ...fireDrillEndpoints,
  ...supportEndpoints,
  ...agentEndpoints,
  ...agentChangesEndpoint,
  ...updateEndpoints,
};
export type Api = typeof api;
