import { randomUUID } from 'node:crypto';
import { type AccountHolder, agentEndpoints, type DevicePolicy } from '@porchlight/contract/agent.ts';

export const carol: AccountHolder = { first_name: 'Carol', masked_email: 'c•••@gmail.com' };

/** What an enrolment reads and changes of the fake server. */
interface Enrolling {
  enrolled: string[];
  holders: Map<string, AccountHolder>;
  device: string;
  policy: DevicePolicy;
  mood: string;
  setPolicy(change: Partial<DevicePolicy>): void;
}

export function enrolments(test: Enrolling) {
  const devices = new Map<string, { uuid: string; holder: AccountHolder }>();
  let token = '';
  let unusedEnrolId: string | undefined;
  const holderOf = (code: string) => test.holders.get(code) ?? carol;
  return {
    of: (by: string) => devices.get(by),
    tokenUsed() {
      unusedEnrolId = undefined;
    },
    enrol(body: unknown) {
      const { code, enrol_id } = agentEndpoints['POST /agent/enrol'].body.parse(body);
      const again = enrol_id !== undefined && unusedEnrolId === enrol_id;
      if (!again && test.enrolled.includes(code)) return null;
      if (!again) test.enrolled.push(code);
      unusedEnrolId = enrol_id;
      if (again) devices.delete(token);
      token = randomUUID();
      test.mood = 'well';
      const holder = holderOf(code);
      if (!again && test.enrolled.length > 1) {
        test.device = randomUUID();
        test.setPolicy({ device: test.device });
      }
      if (holder !== test.policy.holder) test.setPolicy({ holder });
      devices.set(token, { uuid: test.device, holder });
      return { agent_token: token, device: { uuid: test.device, name: test.policy.device_name }, holder };
    },
    whose(body: unknown) {
      const { code, enrol_id } = agentEndpoints['POST /agent/whose'].body.parse(body);
      if (test.enrolled.includes(code) && (enrol_id === undefined || unusedEnrolId !== enrol_id)) return null;
      return { holder: holderOf(code), device_name: test.policy.device_name };
    },
  };
}
