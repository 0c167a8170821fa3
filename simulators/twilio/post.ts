import type { PostForm } from './phones.ts';

export function postTo(host: string, port: number): PostForm {
  const loopbackHost = /^(0\.0\.0\.0|\[?::\]?)$/.test(host) ? '127.0.0.1' : host;
  return async (path, form, signature) => {
    const answer = await fetch(`http://${loopbackHost}:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
      body: form,
      signal: AbortSignal.timeout(10_000),
    });
    return { status: answer.status, body: await answer.text() };
  };
}
