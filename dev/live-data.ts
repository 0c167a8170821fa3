// Makes a family in a new data folder, whose path is the first argument, and prints whom as JSON: what a newer version starts on in upgrade.test.ts.
import { randomUUID } from 'node:crypto';
import { agentInfo } from '@porchlight/server/testing/agent-info.ts';
import { call } from './call.ts';
import { acceptedGuardian } from './guardians.ts';
import { registeredPerson } from './people.ts';
import { putReadyCluster } from './ready-cluster.ts';
import { startWorld } from './world.ts';

/** The commit before prints it too, so what it has does not change. */
export interface LiveData {
  email: string;
  password: string;
  /** Of a session on the dashboard. */
  token: string;
  device: string;
  agent_token: string;
  /** Of an alert that opened an incident. */
  detection: string;
}

export async function makeLiveData(dataDir: string): Promise<LiveData> {
  await putReadyCluster(dataDir);
  const world = await startWorld({ dataDir });
  try {
    const { email, password, token } = await registeredPerson(world);
    const { uuid: device, login_code } = await call(world.url, 'POST /web/create-device', { token, body: { name: 'Den PC' } });
    const { agent_token } = await call(world.url, 'POST /agent/enrol', { body: { code: login_code, info: agentInfo } });
    await acceptedGuardian(world, { email, password, token });
    const detection = randomUUID();
    const reported = { name: 'AnyDesk', identifier: 'anydesk', category: 'RemoteControl', details: '/tmp/AnyDesk' } as const;
    const time = new Date().toISOString();
    const detections = [{ uuid: detection, time, ...reported, blocked: true, certainty: 'likely' as const }];
    await call(world.url, 'POST /agent/detections', { token: agent_token, body: { detections } });
    return { email, password, token, device, agent_token, detection };
  } finally {
    await world.close();
  }
}

if (import.meta.main) console.log(JSON.stringify(await makeLiveData(process.argv[2] ?? '')));
