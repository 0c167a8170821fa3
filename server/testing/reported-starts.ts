import { randomUUID } from 'node:crypto';
import type { firstHourFamily } from './first-hour-family.ts';
import type { TestServer } from './world.ts';

type Family = Awaited<ReturnType<typeof firstHourFamily>>;

export const command = { category: 'PastedCommand', identifier: 'command-1', name: 'A pasted PowerShell command', details: 'evil.example' };
export const program = {
  category: 'NewProgram',
  identifier: 'program-1',
  name: 'BankSupport.exe',
  details: 'C:\\Users\\Ann\\Downloads\\BankSupport.exe',
};
export const money = { category: 'MoneySite', identifier: 'money-pages', name: 'A money page', details: 'bank' };
export const pausedSite = {
  category: 'PausedSite',
  identifier: 'paused:com-etcbx.top',
  name: 'com-etcbx.top',
  details: 'com-etcbx.top',
  why: 'E-ZPass',
};

/** Reports what a device made wait. */
export const reportStarts = (server: TestServer, { device }: Family, detections: object[]) =>
  server.call('POST /agent/detections', {
    token: device.agent,
    body: {
      detections: detections.map((one) => {
        return {
          uuid: randomUUID(),
          time: server.clock.now().toISOString(),
          blocked: true,
          certainty: 'certain',
          why: '',
          start: 'person',
          ...one,
        };
      }),
    },
  });
export const requestsOf = async (ann: Family) =>
  (await ann.asBob('GET /guardian/:id')).body.requests as unknown as { uuid: string; state: string; wants: string[]; because: string }[];
export const answersIn = async (ann: Family) => (await ann.policy()).unlisted.answers.map(({ identifier, answer }) => [identifier, answer]);
