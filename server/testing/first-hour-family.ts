import { incidentFamily } from './incident-family.ts';
import { policyOf } from './policy-of.ts';
import type { TestServer } from './world.ts';

interface Request {
  uuid: string;
  state: string;
  wants: string[];
  because: string;
}

/** Ann and Bob, with what a start within the first hour depends on and leads to (P9.1). */
export async function firstHourFamily(server: TestServer, options?: { guardian?: boolean; proven?: boolean }) {
  const ann = await incidentFamily(server, options);
  const exceptions = `POST /web/devices/${ann.device.uuid}/v2/exceptions`;
  return {
    ...ann,
    policy: () => policyOf(server, ann.device.agent),
    allowSite: (identifier: string) => ann.call(exceptions, { type: 'domain', identifier, lasts: null }),
    allowProgram: (identifier: string) => ann.call(exceptions, { type: 'definition', identifier, lasts: null }),
    profile: async () => String((await ann.call(`GET /web/devices/${ann.device.uuid}`)).body.policy),
    requests: async () => {
      const [incident] = await ann.incidents();
      return (await ann.call(`GET /web/incidents/${incident?.uuid}`)).body.requests as unknown as Request[];
    },
    mails: async (subject: RegExp) => (await server.mailsTo(ann.bob?.email ?? '')).filter((mail) => subject.test(mail.subject)),
  };
}
export const allowedIn = (policy: { allow: { identifier: string }[] }) => policy.allow.map(({ identifier }) => identifier).toSorted();
