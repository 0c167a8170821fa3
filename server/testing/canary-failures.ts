import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { twilioSender } from '../integrations/sms/twilio.ts';
import { value } from './canary-words.ts';
import { plansWith, stripeProxy } from './fake-stripe.ts';
import { answering, openFakeTwilio } from './fake-twilio.ts';
import { ownWorker } from './own-worker.ts';
import { politeAnswer, rudeSmtp } from './rude-smtp.ts';
import { detection, type TestServer } from './world.ts';

/** An unexpected exception of a handler. */
export function breaks(way: string): never {
  const words = value('name in an unexpected error');
  if (way === 'error') throw new Error(words);
  if (way === 'type') throw Object.assign(new TypeError(`${words}\n    at ${words}`), { input: words, user: { name: words } });
  throw new AggregateError([new Error(words)], words, { cause: new Error(words, { cause: words }) });
}

/** What the library of the payment service throws, and what we make of it. */
export async function failingPayments(server: TestServer, log: Logger): Promise<void> {
  const message = value('error of the payment service');
  const failure = { status: 400, body: { error: { type: 'invalid_request_error', code: 'resource_missing', param: 'customer', message } } };
  const proxy = await stripeProxy(server.stripeSimulator.settings, (key) => (key.includes('/v1/account') ? null : failure));
  const { products } = plansWith(server, proxy.payments, log);
  await products.list().catch((err: unknown) => log.error({ err }, 'the products could not be read'));
  const stripeError = await proxy.payments.stripe.customers.retrieve('cus_x').catch((err: unknown) => err);
  log.error({ err: stripeError }, 'an error of the library itself');
  log.error(stripeError);
  await proxy.close();
}

/** Mail and texts that are refused with the address in the answer, and a sender that breaks. */
export async function dyingJobs(
  server: TestServer,
  log: Logger,
  call: TestServer['call'],
  { token, agent }: { token: string; agent: string },
): Promise<void> {
  await server.app.worker.idle();
  await server.app.worker.close();
  const twilio = await openFakeTwilio(answering(400, { code: 21211, message: value('answer of the telephone service') }));
  const smtp = await rudeSmtp((line) => (line.startsWith('RCPT') ? `550 5.1.1 ${value('answer of the mail server')}` : politeAnswer(line)));
  const breaking = {
    ...{ from: '+12025550100', hasSigned: () => false, close: async () => {} },
    send: () => Promise.reject(new Error(value('error in a job'))),
  };
  const account = { account_sid: 'AC1', auth_token: 'x', from: '+12025550100', api_base: twilio.api_base };
  for (const smsSender of [twilioSender(account), breaking]) {
    await server.db
      .updateTable('accounts')
      .set({ phone_number: value('phone number of the holder'), phone_number_verified: false })
      .where('email', '=', value('email address of the holder'))
      .execute();
    await call('POST /web/send-phone-code', { token });
    await call('POST /agent/detections', {
      token: agent,
      body: { detections: [detection(server, { name: value('name of an alert'), identifier: randomUUID() })] },
    });
    const own = ownWorker(server, smtp.url, { smsSender, log });
    await own.worker.idle();
    await own.close();
    server.clock.turn(3_600_000);
  }
  smtp.close();
  await twilio.close();
}
