import { createHmac } from 'node:crypto';
import { chatScript, chatWidget } from './chat-script.ts';
import { type Simulator, startSimulator } from './simulator.ts';

export interface ChatService extends Simulator {
  settings: { CHAT_BASE_URL: string; CHAT_WEBSITE_TOKEN: string; CHAT_IDENTITY_KEY: string };
  /** What its frame was told, oldest first. */
  heard(event: string): Record<string, unknown>[];
  /** Who was introduced, oldest first; only where the key that it shares with the server proves it. */
  people(): { identifier: string; name: string; email: string }[];
}

const key = 'the key that the chat and the server share';

/** A support chat as a Chatwoot is one: a script that opens a frame and speaks to it. */
export async function startChatService(): Promise<ChatService> {
  const html = `<!doctype html><html lang="en"><title>Chat</title><body><script>(${String(chatWidget)})()</script></body></html>`;
  const service = await startSimulator(({ method, path }) => {
    if (path === '/packs/js/sdk.js') return { type: 'text/javascript', body: `(${String(chatScript)})()` };
    if (path === '/widget') return { type: 'text/html', body: html };
    if (path === '/heard' && method === 'POST') return { status: 204 };
    return { status: 404 };
  });
  const heard = (event: string) =>
    service.asked.flatMap(({ path, body }) => (path === '/heard' && JSON.parse(body).event === event ? [JSON.parse(body)] : []));
  return {
    ...service,
    settings: { CHAT_BASE_URL: service.url, CHAT_WEBSITE_TOKEN: 'website-token-1', CHAT_IDENTITY_KEY: key },
    heard,
    people: () =>
      heard('set-user').flatMap(({ identifier, user }) => {
        const { name, email, identifier_hash } = user as Record<string, string>;
        const right = createHmac('sha256', key).update(String(identifier)).digest('hex');
        return identifier_hash === right ? [{ identifier: String(identifier), name: String(name), email: String(email) }] : [];
      }),
  };
}
