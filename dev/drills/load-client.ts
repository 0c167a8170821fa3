// Calls to one server from a process of its own (`load-process.ts`), so that the client's work delays nothing else that is measured.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { callForChanges, callForPolicy } from './herd-calls.ts';
import type { LoadOrder, LoadResult } from './load-process.ts';
import { type Answered, type OneCall, openLoop } from './open-loop.ts';
import { rawLoadOn } from './raw-load.ts';

const [url = '', connections = '1'] = process.argv.slice(2);
let load = rawLoadOn(url, Number(connections));

async function closedLoop(call: OneCall, at_once: number, ms: number): Promise<Answered[]> {
  const end = performance.now() + ms;
  const answers: Answered[] = [];
  const callInTurn = async () => {
    while (performance.now() < end) answers.push(await load.send(call));
  };
  await Promise.all(Array.from({ length: at_once }, callInTurn));
  return answers;
}

/** As an agent that was away: it asks what has changed, then for its policy, and after a refusal once more when `Retry-After` has passed. */
async function returning(token: string): Promise<Answered[]> {
  const answers: Answered[] = [];
  const calls = [callForChanges(token, 0, 0), callForPolicy(token)];
  await sleep(Math.random() * 2_000);
  for (let tries = 0; tries < 20; tries++) {
    const answer = await load.send(calls[0] as OneCall);
    answers.push(answer);
    if (answer.status === 200) calls.shift();
    if (calls.length === 0) return answers;
    if (answer.status === 200) continue;
    const delayMs = (answer.retry_after ?? 1) * 1000;
    await sleep(delayMs + Math.random() * delayMs);
  }
  return answers;
}

async function carryOut(order: LoadOrder): Promise<Pick<LoadResult, 'answers' | 'served'>> {
  if (order.kind === 'closed') return { answers: await closedLoop(order.call, order.at_once, order.ms), served: 0 };
  if (order.kind === 'open')
    return { answers: await openLoop(order.rate, order.seconds, (meant) => load.send({ ...order.call, meant })), served: 0 };
  const answersByAgent = await Promise.all(Array.from({ length: order.agents }, () => returning(order.token)));
  const isServed = (answers: Answered[]) => answers.filter(({ status }) => status === 200).length === 2;
  return { answers: answersByAgent.flat(), served: answersByAgent.filter(isServed).length };
}

process.on('message', async (order: LoadOrder) => {
  const delay = monitorEventLoopDelay();
  delay.enable();
  const result = await carryOut(order);
  delay.disable();
  // Connections that nobody uses would count as memory of the server.
  load.close();
  load = rawLoadOn(url, Number(connections));
  process.send?.({ ...result, late: delay.max / 1e6 } satisfies LoadResult);
});
process.once('disconnect', () => process.exit(0));
