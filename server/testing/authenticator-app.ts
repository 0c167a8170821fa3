import { Secret, TOTP } from 'otpauth';
import { goodPassword, type TestServer } from './world.ts';

const stepMs = 30_000;

/** The code that an app shows at the server's time, or some steps later. */
const codeOf = (server: TestServer, secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: server.clock.now().getTime() + steps * stepMs });

/** Begins to set up an authenticator app; nothing is stored yet. */
export async function beginApp(server: TestServer, token: string) {
  const { body } = await server.call('POST /web/authenticator/begin', { token, body: { current_password: goodPassword } });
  const [setup, secret] = [String(body.setup), String(body.secret)];
  return { setup, secret, uri: String(body.uri), code: (steps?: number) => codeOf(server, secret, steps) };
}

/** Sets up an authenticator app, whose codes of this moment are used up. */
export async function authenticatorApp(server: TestServer, token: string) {
  const app = await beginApp(server, token);
  const { status, body } = await server.call('POST /web/authenticator', { token, body: { setup: app.setup, code: app.code() } });
  if (status !== 200) throw new Error(`the authenticator app was refused: ${JSON.stringify(body)}`);
  const recovery_codes = body.recovery_codes as unknown as string[] | null;
  /** A code that was never used; time passes until then. */
  const nextCode = () => {
    server.clock.turn(stepMs);
    return app.code();
  };
  return { ...app, recovery_codes, nextCode };
}
