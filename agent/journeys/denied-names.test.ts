import { expect, test } from 'vitest';
import { fakeOs } from '../os/fake/fake.ts';
import { incidentIsOver, linked } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

test('[P4.1, P4.6] the file names of blocked programs are denied, except while a program is allowed or protection is paused', async () => {
  const os = fakeOs();
  let denied: string[] = [];
  os.denyStarts = (names) => {
    denied = names;
  };
  const { server, test: agent } = await linked(os);
  const untilDenied = (name: string, expected: boolean) => until(name, () => denied.includes('AnyDesk.exe') === expected);
  await untilDenied('AnyDesk to be denied', true);
  server.setPolicy({ allow: [{ type: 'definition', identifier: 'anydesk', until: null, reported_until: null }] });
  await untilDenied('AnyDesk to be allowed', false);
  expect(denied).toContain('TeamViewer.exe');
  server.setPolicy({ allow: [] });
  await untilDenied('AnyDesk to be denied again', true);
  await incidentIsOver(server, agent);
  await (await browserOf(agent)).press('pause', { minutes: '10', pin: testPin, understood: 'yes' });
  await until('nothing to be denied', () => denied.length === 0);
});
