import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../root.ts';
import type { Machine } from './machine.ts';

/** Runs the steps of the Dockerfile in a bare Debian, in its order, and its command until its own health check passes. No image is built. */
export async function containerSteps(machine: Machine, ownWords: string): Promise<string[]> {
  const dockerfile = await readFile(join(root, 'packaging/container/Dockerfile'), 'utf8');
  const steps = [...dockerfile.matchAll(/^RUN (.+)$/gm)].map(([, step = '']) => step);
  await machine.run(`git config --global --add safe.directory '*'
    git clone -q file:///mnt/repository /opt/porchlight-server
    useradd --create-home node`);
  await machine.run(`cd /opt/porchlight-server\n${ownWords}`);
  for (const step of steps) await machine.run(`cd /opt/porchlight-server && ${step}`, { online: true });
  const [, command = ''] = /^CMD (.+)$/m.exec(dockerfile) ?? [];
  const [, variables = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? [];
  const [, check = ''] = /HEALTHCHECK .*CMD (.+)$/m.exec(dockerfile) ?? [];
  const words = (list: string) => (JSON.parse(list) as string[]).join(' ');
  const settings =
    'PUBLIC_URL=https://porchlight.example.org SMTP_URL=mailbox: FEATURE_SMS=off STRIPE_API_BASE=till: SITE_LISTS=first INSTALLERS_BUILD=off';
  await machine.run(`cd /opt/porchlight-server
    setsid runuser -u node -- env ${variables} ${settings} ${words(command)} </dev/null >/var/log/porchlight.service.log 2>&1 &
    for second in $(seq 60); do env ${variables} ${words(check)} && exit 0; sleep 1; done; exit 1`);
  return steps;
}
