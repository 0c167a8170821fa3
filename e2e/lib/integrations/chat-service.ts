import { createHmac } from 'node:crypto';
import { chatScript, chatWidget } from './chat-script.ts';
import { type Simulator, startSimulator } from './simulator.ts';

export interface ChatService extends Simulator {
  settings: { CHAT_BASE_URL: string; CHAT_WEBSITE_TOKEN: string; CHAT_IDENTITY_KEY: string };
  /** The messages to the chat's frame, oldest first. */
  received(event: string): Record<string, unknown>[];
  /** The users who were introduced with a valid proof, oldest first. */
  people(): { identifier: string; name: string; email: string }[];
}

const key = 'the key that the chat and the server share';

/** A fake Chatwoot: a script that opens a frame and sends it messages. */
export async function startChatService(): Promise<ChatService> {
  const html = `<!doctype html><html lang="en"><title>Chat</title><body><script>(${String(chatWidget)})()</script></body></html>`;
  const service = await startSimulator(({ method, path }) => {
    if (path === '/packs/js/sdk.js') return { type: 'text/javascript', body: `(${String(chatScript)})()` };
    if (path === '/widget') return { type: 'text/html', body: html };
    if (path === '/received' && method === 'POST') return { status: 204 };
    return { status: 404 };
  });
  const received = (event: string) =>
    service.asked.flatMap(({ path, body }) => (path === '/received' && JSON.parse(body).event === event ? [JSON.parse(body)] : []));
  return {
    ...service,
    settings: { CHAT_BASE_URL: service.url, CHAT_WEBSITE_TOKEN: 'website-token-1', CHAT_IDENTITY_KEY: key },
    received,
    people: () =>
      received('set-user').flatMap(({ identifier, user }) => {
        const { name, email, identifier_hash } = user as Record<string, string>;
        const validProof = createHmac('sha256', key).update(String(identifier)).digest('hex');
        return identifier_hash === validProof ? [{ identifier: String(identifier), name: String(name), email: String(email) }] : [];
      }),
  };
}
