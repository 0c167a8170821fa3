import type { FastifyInstance } from 'fastify';
import type { SimulatorAccess } from '../access.ts';
import type { CallActions } from '../twilio/calls.ts';
import type { TwilioSimulator } from '../twilio/twilio.ts';
import { entriesOf, type MailboxContent, type MailboxPush } from './entries.ts';
import type { Mailbox } from './mailbox.ts';
import { mailboxPage } from './page.ts';

/** Those that the page shows. Null when a real service is used or the page of the simulator is closed. */
export interface MailboxSimulators {
  mailbox: Pick<Mailbox, 'list'> | null;
  twilioSimulator: Pick<TwilioSimulator, 'list' | 'write' | 'calls'> | null;
  pushSimulator: { list(): Promise<MailboxPush[]> } | null;
}

/** `/dev/mailbox` for people, `/dev/mailbox.json` for tests; both need the key of the simulators. */
export function mailboxRoutes(
  app: FastifyInstance,
  access: SimulatorAccess,
  { mailbox, twilioSimulator, pushSimulator }: MailboxSimulators,
): void {
  const routeOptions = { schema: { hide: true }, onRequest: access.onlyWithKey };
  const contentOf = async (): Promise<MailboxContent> => ({
    mails: (await mailbox?.list()) ?? [],
    texts: (await twilioSimulator?.list()) ?? [],
    calls: (await twilioSimulator?.calls.list()) ?? [],
    pushes: (await pushSimulator?.list()) ?? [],
  });

  app.get('/dev/mailbox.json', routeOptions, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(await contentOf())),
  );

  app.get('/dev/mailbox', routeOptions, async (request, reply) => {
    const entries = entriesOf(await contentOf());
    const { id, answer } = request.query as { id?: string; answer?: string };
    const openEntry = entries.find((entry) => entry.id === id) ?? entries[0];
    return reply.type('text/html; charset=utf-8').send(mailboxPage(entries, openEntry, answer));
  });
  if (twilioSimulator) phoneRoutes(app, access, twilioSimulator);

  app.get('/dev/mailbox/mail/:id', routeOptions, async (request, reply) => {
    const { id } = request.params as { id: string };
    const mail = (await contentOf()).mails.find((m) => m.id === id);
    if (!mail) return reply.code(404).type('text/plain').send('There is no such mail.');
    // An email may show text and colours and open links in a new tab, and nothing else.
    return reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; frame-ancestors 'self'",
      )
      .header('x-frame-options', 'SAMEORIGIN')
      .type('text/html; charset=utf-8')
      .send(mail.html.replace('<head>', '<head><base target="_top">'));
  });
}

/** Buttons with which a tester answers a text message or a call as its recipient. */
function phoneRoutes(
  app: FastifyInstance,
  access: SimulatorAccess,
  { list, write, calls }: NonNullable<MailboxSimulators['twilioSimulator']>,
) {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    const routeOptions = { schema: { hide: true }, onRequest: access.onlyWithKey };
    const fieldOf = (body: unknown, name: string) => new URLSearchParams(String(body ?? '')).get(name) ?? '';

    scope.post('/dev/mailbox/text/:id', routeOptions, async (request, reply) => {
      const { id } = request.params as { id: string };
      const text = (await list()).find((one) => one.id === id);
      if (!text) return reply.code(404).type('text/plain').send('There is no such text.');
      const answerText = fieldOf(request.body, 'body');
      const { status, body } = await write(text.to, answerText);
      const answer = /<Message>(.*)<\/Message>/s.exec(body)?.[1] ?? (status === 200 ? 'nothing' : `status ${status}`);
      return reply.redirect(`/dev/mailbox?${new URLSearchParams({ id, answer: `${answerText}: ${answer}` }).toString()}`, 303);
    });

    scope.post('/dev/mailbox/call/:id', routeOptions, async (request, reply) => {
      const { id } = request.params as { id: string };
      if (!(await calls.list()).some((call) => call.id === id)) return reply.code(404).type('text/plain').send('There is no such call.');
      await actOn(calls, id, fieldOf(request.body, 'do'));
      return reply.redirect(`/dev/mailbox?${new URLSearchParams({ id }).toString()}`, 303);
    });
  });
}

/** `action`: the value of a button of the page. */
async function actOn(calls: CallActions, id: string, action: string): Promise<void> {
  if (action === 'answer') await calls.answer(id);
  if (action === 'voicemail') await calls.voicemail(id);
  if (action === 'busy') await calls.busy(id);
  if (action === 'ignore') await calls.ignore(id);
  if (action === 'hang-up') await calls.hangUp(id);
  const key = /^key-([\d*#])$/.exec(action)?.[1];
  if (key !== undefined) await calls.press(id, key);
}
