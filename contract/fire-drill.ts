import { z } from 'zod';
import { notificationDelivery } from './alerts.ts';
import { endpoints } from './endpoint.ts';
import { time, uuid } from './shapes.ts';

/** A practice alert. `reached` has one entry for each channel of each person. */
export const fireDrill = z.object({ uuid, time, reached: z.array(notificationDelivery) });
export type FireDrill = z.infer<typeof fireDrill>;

export const fireDrillEndpoints = endpoints({
  'POST /web/fire-drill': {
    summary:
      'Send a marked practice alert to the holder and every guardian, the way a real one goes; at most 3 an hour, and never near a real alert (P15.7)',
    access: 'account',
    answer: z.object({ uuid }),
    errors: ['drill_not_now'],
  },
  'GET /web/fire-drill': {
    summary: 'The last practice alert, and who was reached',
    access: 'account',
    answer: z.object({ drill: fireDrill.nullable() }),
    errors: [],
  },
});
