// What the family does, in the home's machine: `node home.ts STEP [ARGUMENT]`. The answer is one line of JSON.
import { readFile, writeFile } from 'node:fs/promises';
import { openStore } from '@porchlight/agent/state/store.ts';
import { call } from '../../call.ts';
import { acceptedGuardian } from '../../guardians.ts';
import { type Person, registeredPerson } from '../../people.ts';
import { until } from '../../until.ts';
import { mailsOn } from './mail-server.ts';

interface Family {
  person: Person;
  guardianEmail: string;
  device: string;
}

const world = { url: 'https://porchlight.example.org', mailbox: () => mailsOn('/') };
const familyFile = '/root/family.json';
export const agentFolder = '/root/agent';
const family = async () => JSON.parse(await readFile(familyFile, 'utf8')) as Family;

const steps: Record<string, (argument: string) => Promise<unknown>> = {
  /** Ann registers, names Bob, and adds a computer. */
  async register() {
    const person = await registeredPerson(world);
    const { email: guardianEmail } = await acceptedGuardian(world, person);
    const { uuid: device, login_code } = await call(world.url, 'POST /web/create-device', {
      token: person.token,
      body: { name: 'Den PC' },
    });
    await writeFile(familyFile, JSON.stringify({ person, guardianEmail, device } satisfies Family));
    return { code: login_code };
  },

  async profile(policy) {
    const { person, device } = await family();
    await call(world.url, 'POST /web/devices/:uuid', { token: person.token, params: { uuid: device }, body: { name: 'Den PC', policy } });
    return {};
  },

  /** Waits until the agent has this version of the profile. */
  async policy(version) {
    const store = await openStore(agentFolder);
    const newest = await until(
      `version ${version} at the agent`,
      async () => {
        const policy = await store.policy();
        return policy?.version === Number(version) ? { version: policy.version, policy: policy.policy.uuid } : null;
      },
      90_000,
    );
    return newest;
  },

  async epoch() {
    return { epoch: (await (await openStore(agentFolder)).definitions())?.epoch ?? 0 };
  },

  /** Waits until the guardian's mails say this; each of them once. */
  async alert(text) {
    const { guardianEmail } = await family();
    const found = await until(
      `a mail to the guardian with ${text}`,
      async () => {
        const mails = (await world.mailbox()).filter(
          (mail) => mail.to.includes(guardianEmail) && `${mail.subject} ${mail.text}`.includes(text),
        );
        return mails.length > 0 ? mails : null;
      },
      60_000,
    );
    return { subject: found[0]?.subject, count: found.length };
  },

  async devices() {
    const { person } = await family();
    return call(world.url, 'GET /web/devices', { token: person.token });
  },
};

const [step = '', argument = ''] = process.argv.slice(2);
console.log(JSON.stringify(await steps[step]?.(argument)));
process.exit(0);
