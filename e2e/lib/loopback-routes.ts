import type { Page, Route } from '@playwright/test';
import { limits } from '@porchlight/contract/limits.ts';
import type { HandOver, LocalStatus } from '@porchlight/contract/loopback.ts';

const base = `http://127.0.0.1:${limits.loopback_port}`;

/** A refusal with the agent's error code. */
interface Refusal {
  status: number;
  code: string;
}

/** A fake of the local agent's loopback calls. */
export interface LoopbackRoutes {
  /** `null`: the connection is refused. `hangs`: the port is open without an answer. */
  status: LocalStatus | null | 'hangs';
  /** The answer to a link; may change `status`. */
  take: (link: HandOver) => Promise<number | Refusal> | number | Refusal;
  asked: number;
  links: HandOver[];
}

/** Intercepts the requests inside the browser, so that no port is needed and no real agent answers. */
export async function routeLoopback(page: Page, status: LoopbackRoutes['status'] = null): Promise<LoopbackRoutes> {
  const agent: LoopbackRoutes = { status, take: () => 200, asked: 0, links: [] };
  const answer = (route: Route, code: number, json: object) =>
    route.fulfill({ status: code, json, headers: { 'access-control-allow-origin': '*' } });
  await page.route(`${base}/.well-known/`, async (route) => {
    agent.asked += 1;
    if (agent.status === null) return route.abort('connectionrefused');
    if (agent.status !== 'hangs') return answer(route, 200, agent.status);
  });
  await page.route(`${base}/api/uri`, async (route) => {
    const link = route.request().postDataJSON() as HandOver;
    agent.links.push(link);
    const takeResult = await agent.take(link);
    return typeof takeResult === 'number' ? answer(route, takeResult, {}) : answer(route, takeResult.status, { code: takeResult.code });
  });
  return agent;
}

export const guest: LocalStatus = { g: true, l: false, v: '1.0.0' };
export const linked: LocalStatus = { g: false, l: true, v: '1.0.0' };
