import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NewPasskey, PasskeyAnswer } from '@porchlight/contract/sign-in-methods.ts';
import { goodPassword, type Loose, type TestServer } from './world.ts';

/** What goes wrong in an answer; without, all is well. `counter`: instead of the next number. */
export interface PasskeyFaults {
  origin?: string;
  rp_id?: string;
  challenge?: string;
  user_handle?: string | null;
  user_verified?: boolean;
  counter?: number;
}

export type PasskeyDevice = ReturnType<typeof passkeyDevice>;

/**
 * An authenticator with one discoverable passkey, and the browser in front of it, by WebAuthn's own formats. `counts`: it counts its answers, as
 * security keys do; passkeys that are synchronized stay at 0.
 */
export function passkeyDevice({ counts = false } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;
  let userHandle: string | null = null;

  const nextCounter = () => {
    if (counts) counter++;
    return counter;
  };
  const clientData = (type: 'webauthn.create' | 'webauthn.get', challenge: string, { origin = 'http://localhost:4380' }: PasskeyFaults) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (rpId: string, faults: PasskeyFaults, attested = Buffer.alloc(0)) => {
    const flags = flag.user_present | (faults.user_verified === false ? 0 : flag.user_verified) | (attested.length ? flag.attested : 0);
    const numbers = Buffer.alloc(5);
    numbers.writeUInt8(flags, 0);
    numbers.writeUInt32BE(faults.counter ?? nextCounter(), 1);
    return Buffer.concat([sha256(faults.rp_id ?? rpId), numbers, attested]);
  };
  const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key', clientExtensionResults: {} } as const;

  return {
    /** Makes the passkey. `statement`: what its maker states about it, instead of nothing. */
    create({ options }: Loose, faults: PasskeyFaults = {}, statement: Parameters<typeof cbor.map>[0] = []): NewPasskey {
      userHandle = String(options?.user?.id);
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = cbor.map([
        [cbor.number(1), cbor.number(2)],
        [cbor.number(3), cbor.number(-7)],
        [cbor.number(-1), cbor.number(1)],
        [cbor.number(-2), cbor.bytes(Buffer.from(x, 'base64url'))],
        [cbor.number(-3), cbor.bytes(Buffer.from(y, 'base64url'))],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, key]);
      const attestation = cbor.map([
        [cbor.text('fmt'), cbor.text(statement.length ? 'packed' : 'none')],
        [cbor.text('attStmt'), cbor.map(statement)],
        [cbor.text('authData'), cbor.bytes(authenticatorData(String(options?.rp?.id), faults, attested))],
      ]);
      return {
        ...named,
        response: {
          clientDataJSON: clientData('webauthn.create', faults.challenge ?? String(options?.challenge), faults).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal', 'hybrid'],
        },
      };
    },

    answer({ options }: Loose, faults: PasskeyFaults = {}): PasskeyAnswer {
      const client = clientData('webauthn.get', faults.challenge ?? String(options?.challenge), faults);
      const data = authenticatorData(String(options?.rpId), faults);
      return {
        ...named,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
          userHandle: faults.user_handle === undefined ? userHandle : faults.user_handle,
        },
      };
    },
  };
}

/** A new passkey of the account of a session. */
export async function addedPasskey(server: TestServer, token: string, device = passkeyDevice(), name?: string): Promise<PasskeyDevice> {
  const { body: options } = await server.call('POST /web/passkeys/options', { token, body: { current_password: goodPassword } });
  const body = { passkey: device.create(options), ...(name === undefined ? {} : { name }) };
  const { status, body: answer } = await server.call('POST /web/passkeys', { token, body });
  if (status !== 200) throw new Error(`the passkey was refused: ${JSON.stringify([options.code, answer])}`);
  return device;
}

/** An answer where the password is asked again. */
export async function passkeyProof(
  server: TestServer,
  token: string,
  device: PasskeyDevice,
  faults?: PasskeyFaults,
): Promise<PasskeyAnswer> {
  const { body } = await server.call('POST /web/passkey-question', { token });
  return device.answer(body, faults);
}

const flag = { user_present: 0x01, user_verified: 0x04, attested: 0x40 };

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** The little of CBOR (RFC 8949) that a passkey needs. */
const cbor = {
  number: (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value)),
  bytes: (value: Buffer) => Buffer.concat([head(2, value.length), value]),
  text: (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]),
  map: (entries: [key: Buffer, value: Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()]),
};

function head(type: number, value: number): Buffer {
  const major = type << 5;
  if (value < 24) return Buffer.from([major | value]);
  if (value < 256) return Buffer.from([major | 24, value]);
  return Buffer.from([major | 25, value >> 8, value & 255]);
}
