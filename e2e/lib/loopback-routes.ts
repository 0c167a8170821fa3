import type { Page, Route } from '@playwright/test';
import { limits } from '@porchlight/contract/limits.ts';
import type { HandOver, LocalStatus } from '@porchlight/contract/loopback.ts';

const base = `http://127.0.0.1:${limits.loopback_port}`;

/** With the word of the agent for it. */
interface Refusal {
  status: number;
  code: string;
}

/** What a page is told when it asks for the agent on its computer, without one. */
export interface LoopbackRoutes {
  /** `null`: nobody answers, the connection is refused. `hangs`: someone has the port and says nothing. */
  status: LocalStatus | null | 'hangs';
  /** What a link is answered with; may change `status`. */
  take: (link: HandOver) => Promise<number | Refusal> | number | Refusal;
  /** How often the status was asked for. */
  asked: number;
  /** The links that were handed over. */
  links: HandOver[];
}

/** Answers in the agent's place, before the request leaves the browser: no port is needed, and no other agent is heard. */
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
    const said = await agent.take(link);
    return typeof said === 'number' ? answer(route, said, {}) : answer(route, said.status, { code: said.code });
  });
  return agent;
}

export const guest: LocalStatus = { g: true, l: false, v: '1.0.0' };
export const linked: LocalStatus = { g: false, l: true, v: '1.0.0' };
