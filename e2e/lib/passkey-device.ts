import { expect, type Page } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';

interface PasskeyDevice {
  /** From now on the user closes the browser's dialog, so to speak: neither fingerprint, face nor PIN. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
}

/** Passkeys of this page's browser: Chromium's virtual device, whose user agrees to everything. */
export async function passkeyDevice(page: Page): Promise<PasskeyDevice> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const setVerified = (isUserVerified: boolean) => browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  return {
    refuse: async () => void (await setVerified(false)),
    accept: async () => void (await setVerified(true)),
  };
}

const ask = (page: Page) => page.getByRole('dialog', { name: 'Is it you?' });

/** Opens the page of the ways to log in, and adds a passkey with the password. The first one shows recovery codes then. */
export async function addPasskey(page: Page, world: World, { password }: Person): Promise<void> {
  await page.goto(`${world.dashboardUrl}/profile/log-in`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await ask(page).getByLabel('Password', { exact: true }).fill(password);
  await ask(page).getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Your passkey is added.')).toBeVisible();
}
