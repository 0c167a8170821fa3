import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';

/** A certificate and its key, both PEM. */
export interface TestCertificate {
  cert: string;
  key: string;
}

export interface TestAuthority {
  /** PEM. */
  ca: string;
  /** `ends`: the last moment at which the certificate is valid. */
  certificateFor(host: string, ends?: Date): TestCertificate;
}

/** DER (X.690): a tag, the length of the contents, and the contents. */
function der(tag: number, ...pieces: Uint8Array[]): Buffer {
  const contents = Buffer.concat(pieces);
  const { length } = contents;
  const lengthBytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), contents]);
}
const sequence = (...pieces: Uint8Array[]) => der(0x30, ...pieces);
const bytesOf = (hex: string) => Buffer.from(hex, 'hex');
const object = (hex: string) => der(0x06, bytesOf(hex));
const ecdsaWithSha256 = sequence(object('2a8648ce3d040302'));
const commonName = (name: string) => sequence(der(0x31, sequence(object('550403'), der(0x0c, Buffer.from(name)))));
const time = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
const extension = (id: string, ...contents: Uint8Array[]) => sequence(object(id), der(0x04, sequence(...contents)));
const isAuthority = extension('551d13', der(0x01, bytesOf('ff')));
const isForHost = (host: string) => extension('551d11', der(0x82, Buffer.from(host)));

interface Contents {
  issuer: string;
  subject: string;
  ends: Date;
  publicKey: KeyObject;
  extensions: Buffer;
}

function signedCertificate({ issuer, subject, ends, publicKey, extensions }: Contents, signer: KeyObject): string {
  const begins = new Date(ends.getTime() - 30 * 24 * 3_600_000);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time(begins), time(ends)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extensions)),
  );
  const signature = der(0x03, bytesOf('00'), sign('sha256', body, signer));
  return new X509Certificate(sequence(body, ecdsaWithSha256, signature)).toString();
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const tomorrow = () => new Date(Date.now() + 24 * 3_600_000);

/** Makes an authority whose X.509 certificates are written here, because openssl is not on every system and cannot make expired ones. */
export function certificateAuthority(): TestAuthority {
  const authorityKeys = newKeys();
  const issuer = `test authority ${randomBytes(4).toString('hex')}`;
  return {
    ca: signedCertificate(
      { issuer, subject: issuer, ends: tomorrow(), publicKey: authorityKeys.publicKey, extensions: isAuthority },
      authorityKeys.privateKey,
    ),
    certificateFor(host, ends = tomorrow()) {
      const { publicKey, privateKey } = newKeys();
      const contents = { issuer, subject: host, ends, publicKey, extensions: isForHost(host) };
      return {
        cert: signedCertificate(contents, authorityKeys.privateKey),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}
