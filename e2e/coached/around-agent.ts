import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { mailTo } from '../lib/screens.ts';
import {
  bobOf,
  day,
  expectIncident,
  expectPinRefused,
  expectUnchanged,
  hour,
  incidentOf,
  minute,
  notePin,
  pauseWith,
  pinAlone,
  stopAnyDesk,
} from './around-steps.ts';
import type { Household } from './household.ts';
import { expectPolicy, incidentsOf, startAndExpectEnd } from './steps.ts';
import type { Way } from './way.ts';

/** At the computer itself: the agent’s window, its process, and the network cable. */

async function restartAgent({ computer }: Household): Promise<void> {
  await computer.kill();
  await computer.restart();
}

const notPaused = (household: Household) => startAndExpectEnd(household, { name: 'TeamViewer.exe' });

const atWindow: Way[] = [
  {
    title: 'The victim types the Admin PIN into the window after a program was stopped, to pause',
    flow: null,
    outcome: 'held',
    short: true,
    async run(household) {
      const pin = await notePin(household);
      const incident = await stopAnyDesk(household);
      await expectUnchanged(household, async () => {
        await expectPinRefused(household, pin);
        await household.pass(3 * hour);
        await expectPinRefused(household, pin);
        await notPaused(household);
      });
      expect((await incidentOf(household, incident)).events.map(({ words }) => words).join()).not.toMatch(/paused|uninstalled/);
    },
  },
  {
    title: 'The victim types the Admin PIN into the uninstaller after a program was stopped',
    flow: null,
    outcome: 'held',
    async run(household) {
      const { computer } = household;
      const pin = await notePin(household);
      await stopAnyDesk(household);
      expect(await computer.mayLeave(pin)).toContain(pinAlone);
      await household.pass(3 * hour);
      expect(await computer.mayLeave(pin)).toContain(pinAlone);
      await notPaused(household);
    },
  },
  {
    title: 'The victim types wrong Admin PINs into the window until it locks',
    flow: null,
    outcome: 'reported',
    async run(household) {
      const pin = await notePin(household);
      const wrong = String((Number(pin) + 1) % 1_000_000).padStart(6, '0');
      const { window, town, computer } = household;
      await expectUnchanged(household, async () => {
        for (let tries = 0; tries < 5; tries += 1) {
          await pauseWith(household, wrong);
          await expect(window.getByRole('alert')).toContainText(/PIN/);
        }
        // The incident that this opens makes the PIN worth nothing, too.
        const refused = /Too many wrong PINs\.|isn’t enough/;
        await pauseWith(household, pin);
        await expect(window.getByRole('alert')).toContainText(refused);
        await restartAgent(household);
        await pauseWith(household, pin);
        await expect(window.getByRole('alert')).toContainText(refused);
        await notPaused(household);
      });
      await mailTo(town.world, bobOf(household).email, /wrong Admin PINs on Den PC/);
      expect((await incidentsOf(household)).map(({ opener }) => opener)).toEqual(['pin_locked']);
      expect(computer.output.join()).not.toContain('paused');
    },
  },
  {
    title: 'The victim pauses with the Admin PIN with nothing going on',
    flow: null,
    outcome: 'reported',
    async run(household) {
      const pin = await notePin(household);
      const { window, town } = household;
      await expectUnchanged(household, async () => {
        const since = Date.now();
        await pauseWith(household, pin);
        await expect(window.getByRole('heading', { name: 'Protection is paused' })).toBeVisible();
        const mail = await mailTo(town.world, bobOf(household).email, /^Protection on Den PC was paused until /);
        if (town.timed) expect(new Date(mail.received).getTime() - since).toBeLessThan(5000);
      });
      expect(await incidentsOf(household)).toEqual([]);
    },
  },
];

/** The short pause counts as one change with showing the PIN for it, so it passes; a start ends it (P9.1). */
const inPause: Way[] = [
  {
    title: 'The victim reads the Admin PIN to the caller, pauses for ten minutes, and starts AnyDesk in the pause',
    flow: null,
    outcome: 'held',
    async run(household) {
      const { window, town, ann } = household;
      const bob = bobOf(household).email;
      const { bypass_password } = await call(town.world.url, 'GET /web/bypasspassword', { token: ann.token });
      await mailTo(town.world, bob, /^Ann looked at the Admin PIN$/);
      await expectPolicy(household, /pin_shown[\\"]+:true/);
      await pauseWith(household, bypass_password);
      await expect(window.getByRole('heading', { name: 'Protection is paused' })).toBeVisible();
      await mailTo(town.world, bob, /^Protection on Den PC was paused until /);
      await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
      await expectIncident(household);
      await expectPinRefused(household, bypass_password);
    },
  },
];

const atProcess: Way[] = [
  {
    title: 'The caller ends the agent after a program was stopped, and starts it again',
    flow: null,
    outcome: 'held',
    async run(household) {
      const pin = await notePin(household);
      const incident = await stopAnyDesk(household);
      await expectUnchanged(household, async () => {
        await restartAgent(household);
        await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
        await expectPinRefused(household, pin);
        await restartAgent(household);
        await expectPinRefused(household, pin);
      });
      expect(await incidentOf(household, incident)).toMatchObject({ state: 'open' });
    },
  },
  {
    title: 'The caller has the cable pulled, starts a program, and ends the agent before anything is reported',
    flow: null,
    outcome: 'held',
    short: true,
    async run(household) {
      const pin = await notePin(household);
      const { front } = household.town;
      await expectUnchanged(household, async () => {
        front.cut(true);
        try {
          await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
          await restartAgent(household);
          await expectPinRefused(household, pin);
        } finally {
          front.cut(false);
        }
        await expectIncident(household);
      });
      await mailTo(household.town.world, bobOf(household).email, /AnyDesk was blocked on Den PC/);
      await expectPinRefused(household, pin);
    },
  },
  {
    title: 'The caller has the cable pulled, and the victim types the Admin PIN within the hour',
    flow: null,
    outcome: 'held',
    async run(household) {
      const pin = await notePin(household);
      const { computer, town } = household;
      await expectUnchanged(household, async () => {
        town.front.cut(true);
        try {
          await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
          await expectPinRefused(household, pin);
          await computer.passes(59 * minute, { wall: false });
          await expectPinRefused(household, pin);
          // Neither a start within the hour nor a clock that is set forward shortens it.
          await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
          await computer.passes(0, { wall: true });
          await computer.passes(59 * minute, { wall: false });
          await expectPinRefused(household, pin);
        } finally {
          town.front.cut(false);
        }
        await expectIncident(household);
      });
      await mailTo(town.world, bobOf(household).email, /AnyDesk was blocked on Den PC/);
    },
  },
  {
    title: 'The caller has the cable pulled, and the victim pauses with the Admin PIN after the hour',
    flow: null,
    outcome: 'reported',
    async run(household) {
      const pin = await notePin(household);
      const { computer, town, window } = household;
      await expectUnchanged(household, async () => {
        town.front.cut(true);
        try {
          await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
          await expectPinRefused(household, pin);
          await computer.passes(61 * minute, { wall: false });
          await pauseWith(household, pin);
          await expect(window.getByRole('heading', { name: 'Protection is paused' })).toBeVisible();
        } finally {
          town.front.cut(false);
        }
      });
      // Both arrive as soon as the cable is back.
      await mailTo(town.world, bobOf(household).email, /AnyDesk was blocked on Den PC/);
      await mailTo(town.world, bobOf(household).email, /Den PC was paused/);
      await expectIncident(household);
    },
  },
];

const repeated: Way[] = [
  {
    title: 'The caller has the program started thirty times, so that Bob stops reading',
    flow: null,
    outcome: 'stopped',
    async run(household) {
      const { town } = household;
      const bob = bobOf(household);
      await expectUnchanged(household, async () => {
        for (let starts = 0; starts < 30; starts += 1) await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
        await expectIncident(household);
        await mailTo(town.world, bob.email, /AnyDesk was blocked on Den PC/);
        await startAndExpectEnd(household, { name: 'TeamViewer.exe' });
        await mailTo(town.world, bob.email, /TeamViewer/);
      });
      const mails = (await town.world.mailbox()).filter(({ to, subject }) => to.includes(bob.email) && /AnyDesk/.test(subject));
      expect(mails.length, 'emails to Bob about AnyDesk').toBeLessThan(4);
      // A day after the last start it ends.
      await household.pass(day + minute);
      await expect.poll(async () => (await incidentsOf(household)).map(({ state }) => state), { timeout: 15_000 }).toEqual(['watched']);
    },
  },
];

export const agentWays: Way[] = [...atWindow, ...inPause, ...atProcess, ...repeated];
