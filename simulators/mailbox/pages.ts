import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SimulatorAccess } from '../access.ts';
import type { PushSimulator } from '../push/push.ts';
import type { CallActions } from '../twilio/calls.ts';
import type { TwilioSimulator } from '../twilio/twilio.ts';
import { entriesOf, type Messages } from './entries.ts';
import type { Mailbox } from './mailbox.ts';
import { mailboxPage } from './page.ts';

/** Null where a real service is used, or its page is closed. */
export interface ShownSimulators {
  mailbox: Mailbox | null;
  twilioSimulator: TwilioSimulator | null;
  pushSimulator: Pick<PushSimulator, 'list'> | null;
}

/** `/dev/mailbox` for people, `/dev/mailbox.json` for tests; both need the key of the simulators. */
export function mailboxRoutes(app: FastifyInstance, access: SimulatorAccess, shown: ShownSimulators): void {
  const { mailbox, twilioSimulator, pushSimulator } = shown;
  const routeOptions = { schema: { hide: true }, onRequest: access.onlyWithKey };
  const listMessages = async (): Promise<Messages> => ({
    mails: (await mailbox?.list()) ?? [],
    texts: (await twilioSimulator?.list()) ?? [],
    calls: (await twilioSimulator?.calls.list()) ?? [],
    pushes: (await pushSimulator?.list()) ?? [],
  });

  app.get('/dev/mailbox.json', routeOptions, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(await listMessages())),
  );

  app.get('/dev/mailbox', routeOptions, async (request, reply) => {
    const entries = entriesOf(await listMessages());
    const { id, answer } = request.query as { id?: string; answer?: string };
    const openEntry = entries.find((entry) => entry.id === id) ?? entries[0];
    return reply.type('text/html; charset=utf-8').send(mailboxPage(entries, openEntry, answer));
  });
  if (twilioSimulator) phoneRoutes(app, access, twilioSimulator);

  app.get('/dev/mailbox/mail/:id', routeOptions, async (request, reply) => {
    const { id } = request.params as { id: string };
    const mail = (await listMessages()).mails.find((m) => m.id === id);
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

/** Buttons with which a tester answers a text message as its recipient, or picks up a phone. */
function phoneRoutes(app: FastifyInstance, access: SimulatorAccess, twilioSimulator: TwilioSimulator): void {
  const routeOptions = { schema: { hide: true }, onRequest: access.onlyWithKey };
  const idOf = (request: { params: unknown }) => (request.params as { id: string }).id;
  const fieldOf = (request: { body: unknown }, name: string) => new URLSearchParams(String(request.body ?? '')).get(name) ?? '';
  const show = (reply: FastifyReply, query: Record<string, string>) =>
    reply.redirect(`/dev/mailbox?${new URLSearchParams(query).toString()}`, 303);

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

    scope.post('/dev/mailbox/text/:id', routeOptions, async (request, reply) => {
      const id = idOf(request);
      const text = (await twilioSimulator.list()).find((one) => one.id === id);
      if (!text) return reply.code(404).type('text/plain').send('There is no such text.');
      const answerText = fieldOf(request, 'body');
      const { status, body } = await twilioSimulator.write(text.to, answerText);
      const answer = /<Message>(.*)<\/Message>/s.exec(body)?.[1] ?? (status === 200 ? 'nothing' : `status ${status}`);
      return show(reply, { id, answer: `${answerText}: ${unescaped(answer)}` });
    });

    scope.post('/dev/mailbox/call/:id', routeOptions, async (request, reply) => {
      const id = idOf(request);
      await act(twilioSimulator.calls, id, fieldOf(request, 'do'));
      return show(reply, { id });
    });
  });
}

/** `action`: a function of the phone, or a key. */
async function act(calls: CallActions, id: string, action: string): Promise<void> {
  if (/^[\d*#]$/.test(action)) return calls.press(id, action);
  if (action === 'answer' || action === 'voicemail' || action === 'busy' || action === 'ignore' || action === 'hangUp') {
    await calls[action](id);
  }
}

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)));
