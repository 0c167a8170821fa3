import { expect, it } from 'vitest';
import { dnsOptions } from './dns-options.ts';
import { dnsFilterPlan } from './dns-plan.ts';

const program = { execPath: '/usr/bin/node', execArgv: [], argv: ['/usr/bin/node', '/porchlight/agent/main.ts'] };
const planFor = (args: string[], system: string | undefined, isAdministrator: boolean) => {
  const printed: string[] = [];
  const plan = dnsFilterPlan(dnsOptions(args), program, (sentence) => printed.push(sentence), {
    ...{ system, isAdministrator },
    command: 'sudo npm start',
  });
  return { own: plan && `${plan.own.address}:${plan.own.port}`, system: plan?.system, page: plan?.page?.address, printed };
};
const wholeComputer = { own: '127.0.0.1:53', system: true, page: '127.0.0.2', printed: [] };

it.each([
  ['npm start as root', [], 'auto', true],
  ['an installed agent', [], 'on', true],
  ['--system', ['--system'], undefined, true],
  ['--system by a user who is no administrator, which then says why it fails', ['--system'], 'auto', false],
])('[P12.1] the DNS filter is for the whole computer with %s', (_what, args, system, isAdministrator) => {
  expect(planFor(args, system, isAdministrator)).toEqual(wholeComputer);
});

it('[P12.1] npm start by a user who is no administrator blocks no websites, and says in one sentence what to type', () => {
  const { printed, ...plan } = planFor([], 'auto', false);
  expect(plan).toEqual({ own: null, system: undefined, page: undefined });
  expect(printed).toEqual([
    'Scam websites are not blocked, because only an administrator may change how this computer looks up websites. To block them, run “sudo npm start” instead.',
  ]);
});

it.each(['off', undefined])('the DNS settings stay as they are with AGENT_SYSTEM=%s, also for root', (system) => {
  const { own, printed } = planFor([], system, true);
  expect(own).toBeNull();
  expect(printed).toEqual([expect.stringContaining('With --system it blocks them.')]);
});

it('an address of its own for the DNS filter leaves the DNS settings alone, also for root', () => {
  expect(planFor(['--names', '127.0.0.1:5300'], 'auto', true)).toEqual({
    own: '127.0.0.1:5300',
    system: false,
    page: undefined,
    printed: [],
  });
});
