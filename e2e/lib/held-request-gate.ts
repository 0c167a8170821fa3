import { randomUUID } from 'node:crypto';
import type { Page, Route } from '@playwright/test';
import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { hour } from '@porchlight/contract/time.ts';

export const at = (fromNow: number) => new Date(Date.now() + fromNow).toISOString();
export const because =
  'There was trouble on one of your computers, and it isn’t over yet. If nobody answers, you can do it on Friday at 2:05 PM.';
export const renewed = '123456';

/** A fake of the server's gate: renewing the PIN waits for Bob. */
export interface Gate {
  request: HeldRequest;
  /** Whether the next attempt passes. */
  open: boolean;
  attempts: number;
  /** The bodies of the holder's own answers. */
  answers: unknown[];
  /** The answer to the holder's own answer. */
  answer: (body: { code?: string }) => { status: number; code: string } | null;
  codes: number;
}

export const bobs = (answer: 'yes' | 'no') => [{ by: 'Bob', you: false, time: at(0), answer }];

export async function withGate(page: Page, password: string, changes: Partial<HeldRequest> = {}): Promise<Gate> {
  const request: HeldRequest = {
    uuid: randomUUID(),
    incident: null,
    state: 'open',
    wants: ['You want to make a new Admin PIN.'],
    activities: [{ kind: 'pin_reset', device: '', what: '' }],
    ...{ who: 'You', cause: 'incident', rule: 'day' },
    device: null,
    device_name: null,
    time: at(0),
    until: at(24 * hour),
    passes: at(24 * hour),
    answers: [],
    lifted: null,
    asked: ['Bob'],
    unproven: false,
    because,
    may_last: false,
    by_server: false,
    mine: { may: 'no', reason: 'own_computer', from: null, why: 'Someone else must answer.' },
    ...changes,
  };
  const gate: Gate = { request, open: false, attempts: 0, answers: [], answer: () => null, codes: 0 };
  const fail = (route: Route, status: number, code: string, more: object = {}) =>
    route.fulfill({ status, json: { error: `The error ${code}.`, code, request_id: randomUUID(), ...more } });
  await page.route('**/api/web/bypasspassword', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    gate.attempts += 1;
    if (gate.open) return route.fulfill({ json: { bypass_password: renewed } });
    const { uuid, passes, asked } = gate.request;
    return fail(route, 409, 'held', { request: uuid, until: passes, asked, because, by_server: gate.request.by_server });
  });
  await page.route('**/api/web/requests/*', (route) => {
    if (!route.request().url().endsWith(gate.request.uuid)) return fail(route, 404, 'not_found');
    if (route.request().method() === 'GET') return route.fulfill({ json: gate.request });
    const body = route.request().postDataJSON() as { answer: 'yes' | 'no'; code?: string };
    gate.answers.push(body);
    const refusal = gate.answer(body);
    if (refusal) return fail(route, refusal.status, refusal.code);
    gate.request = { ...gate.request, state: body.answer, answers: [{ by: 'Ann', you: true, time: at(0), answer: body.answer }] };
    gate.open = body.answer === 'yes';
    return route.fulfill({ json: gate.request });
  });
  await page.route('**/api/web/reauthenticate', (route) => {
    const { password: given } = route.request().postDataJSON() as { password: string };
    return given === password ? route.fulfill({ json: {} }) : fail(route, 400, 'password_wrong');
  });
  await page.route('**/api/web/answer-code', (route) => {
    gate.codes += 1;
    return route.fulfill({ json: {} });
  });
  return gate;
}

export const renew = (page: Page) => page.getByRole('button', { name: 'Reset Admin PIN' });
export const waitingDialog = (page: Page) => page.getByRole('dialog', { name: 'We asked Bob' });
export const later = (page: Page) => page.getByRole('button', { name: 'I’ll come back later' });

export async function pressRenew(page: Page) {
  await renew(page).click();
  await page.getByRole('dialog', { name: 'Reset Admin PIN?' }).getByRole('button', { name: 'Confirm' }).click();
}

/** Opens the page of the PIN, and presses. */
export async function openGate(page: Page, dashboardUrl: string, password: string, changes: Partial<HeldRequest> = {}): Promise<Gate> {
  const gate = await withGate(page, password, changes);
  await page.goto(`${dashboardUrl}/profile/admin-pin`);
  // What is loaded last; until then a button may move between the press and the release.
  await page.getByRole('button', { name: /: copy the Admin PIN$/ }).waitFor();
  await pressRenew(page);
  return gate;
}
