/** What the operator's own address gets. Nothing in it is about a person. */
export interface WebhookEvent {
  /** A sentence or two, as chats show them. */
  text: string;
  problem: string;
  state: 'began' | 'ended';
  /** ISO 8601. */
  since: string;
  /** The computer that noticed it. */
  server: string;
}

/** Resolves when the address has answered with a status of success; otherwise throws `WebhookFailed`. */
export type PostWebhook = (event: WebhookEvent) => Promise<void>;

/** The message has no address, because that of a chat is a password. */
export class WebhookFailed extends Error {}

const timeout_ms = 10_000;

/** Follows no redirection: the event would go to an address that the operator has not written down. */
export const webhook =
  (url: string, timeoutMs = timeout_ms): PostWebhook =>
  async (event) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Porchlight' },
      body: JSON.stringify(event),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((err: unknown) => {
      throw new WebhookFailed(`OPERATOR_WEBHOOK does not answer (${codeOf(err)})`);
    });
    await answer.body?.cancel().catch(() => {});
    if (!answer.ok) throw new WebhookFailed(`OPERATOR_WEBHOOK answered ${answer.status}`);
  };

function codeOf(err: unknown): string {
  const { name, cause } = err as { name?: string; cause?: { code?: string } };
  return cause?.code ?? name ?? 'no answer';
}
