// Makes a family in a new data folder, whose path is the first argument, and prints whom as JSON: what a newer version starts on in upgrade.test.ts.
import { randomUUID } from 'node:crypto';
import { call } from './call.ts';
import { acceptedGuardian } from './guardians.ts';
import { linkedDevice, registeredPerson } from './people.ts';
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
    const { uuid: device, token: agent_token } = await linkedDevice(world, { email, password, token });
    await acceptedGuardian(world, { email, password, token });
    const detection = randomUUID();
    const program = { name: 'AnyDesk', identifier: 'anydesk', category: 'RemoteControl', details: '/tmp/AnyDesk' } as const;
    const report = { blocked: true, certainty: 'likely', why: '', start: 'person' } as const;
    const detections = [{ uuid: detection, time: new Date().toISOString(), ...program, ...report }];
    await call(world.url, 'POST /agent/detections', { token: agent_token, body: { detections } });
    return { email, password, token, device, agent_token, detection };
  } finally {
    await world.close();
  }
}

if (import.meta.main) console.log(JSON.stringify(await makeLiveData(process.argv[2] ?? '')));
