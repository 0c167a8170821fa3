import type { Until } from './page.ts';
import type { Scene } from './scene.ts';
import { safeMode, servicesAt } from './tools.ts';

/** What somebody changed in the registry so that our service does not run after a restart is put back and reported. */
export async function expectServiceRestored({ wine, registry, detections }: Scene, until: Until): Promise<void> {
  const ownKey = `${servicesAt}\\Porchlight`;
  await wine.run('reg', 'add', ownKey, '/v', 'Start', '/t', 'REG_DWORD', '/d', '4', '/f');
  await until('the start type', async () => (await registry(ownKey, '/v', 'Start')).includes('0x2'));
  const isReported = async () => (await detections()).some(({ identifier, blocked }) => identifier === 'door-own-service' && blocked);
  await until('the detection', isReported);
  await wine.run('reg', 'delete', safeMode, '/f');
  await until('safe mode', async () => (await registry(safeMode)).includes('Service'));
}
