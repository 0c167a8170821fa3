import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Agent } from '../agent.ts';
import { takeOver } from '../lifecycle/takeover.ts';
import { dialAnyone, sendToService, stayConnected } from '../os/windows/window/ask-service.ts';
import { openBridge } from '../os/windows/window/bridge.ts';
import { bridges } from '../os/windows/window/bridged.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { until } from '../testing/until.ts';

test('an update that is rolled back keeps the window working: the leaving agent closes only its own bridge', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'bridge');
  const [shown, blocked, calls]: string[][] = [[], [], []];
  const agentBridges = bridges();
  let starts = 0;
  const start = async (): Promise<Agent> => {
    const number = ++starts;
    const ownBridge = await openBridge(
      { open: () => {}, help: () => {}, blocked: (file) => void blocked?.push(`${number} ${file}`), atScreen: () => 2 },
      path,
    );
    const agent: Pick<Agent, 'ready' | 'stepBack' | 'close'> = {
      ready: () => true,
      stepBack: async () => void calls?.push(`${number} stepped back`),
      close: async (why) => void calls?.push(`${number} closed ${why ?? 'for another'}`),
    };
    return agentBridges.with(agent as Agent, ownBridge, () => calls?.push(`${number} handed over`));
  };
  const runningAgent = await takeOver({ folder, start, successor: null, installed: false });
  stayConnected(2, (url) => void shown?.push(url), dialAnyone, path);
  await runningAgent?.stepBack();
  expect(agentBridges.show('http://127.0.0.1:23407/ui/?t=1')).toBe(false);
  await runningAgent?.takeBack();
  onTestFinished(() => runningAgent?.agent().close());
  expect(calls).toEqual(['1 handed over', '1 stepped back', '1 closed for another']);
  await until('the page', () => agentBridges.show('http://127.0.0.1:23407/ui/?t=2') && shown?.length);
  expect(await sendToService({ kind: 'blocked', path: 'C:\\AnyDesk.exe' }, dialAnyone, path)).toBe(true);
  await until('what was blocked', () => blocked?.length);
  expect(blocked).toEqual(['2 C:\\AnyDesk.exe']);
});
