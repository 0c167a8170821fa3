import { openStore } from '@porchlight/agent/state/store.ts';
import { expect } from 'vitest';
import type { Until } from './page.ts';
import type { Scene } from './scene.ts';
import { denied, program } from './tools.ts';

/** Of a service that denied starts again between the uninstaller's first step and its own end, and of another program. */
const entries = [
  { name: 'Meanwhile.exe', value: 'Porchlight' },
  { name: 'Foreign.exe', value: 'GlobalFlag' },
];

/** What the uninstaller runs after it stopped the service removes our entries, and only for an uninstall. The service runs again afterwards. */
export async function expectStartsAllowed({ wine, onC, answers, registry }: Scene, until: Until): Promise<void> {
  const options = denied.slice(0, denied.lastIndexOf('\\'));
  const entriesAfterRestore = async () => {
    await wine.run(program, '--restore-names');
    const listed = await registry(options);
    return entries.map(({ name }) => name).filter((name) => listed.includes(name));
  };
  await wine.run('net', 'stop', 'Porchlight');
  await until('its end', async () => (await answers()) === null);
  for (const { name, value } of entries) {
    await wine.run('reg', 'add', `${options}\\${name}`, '/v', value, '/t', 'REG_DWORD', '/d', '1');
  }
  expect(await entriesAfterRestore()).toEqual(['Meanwhile.exe', 'Foreign.exe']);
  const store = await openStore(onC('ProgramData\\Porchlight\\data'));
  await store.beginUninstall(Date.now());
  expect(await entriesAfterRestore()).toEqual(['Foreign.exe']);
  await store.cancelUninstall();
  await until('the service', async () => (await wine.run('net', 'start', 'Porchlight')).code === 0);
  await until('its answer', answers);
  await until('the entry', async () => (await registry(denied)).includes('--blocked'));
}
