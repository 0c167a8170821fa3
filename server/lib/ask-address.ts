import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv6, type LookupFunction, type Socket } from 'node:net';
import { rootCertificates, TLSSocket } from 'node:tls';

/** `problem`: why a browser or an agent refuses the certificate, as Node's code; null when they accept it. */
export interface Certificate {
  ends: Date;
  problem: string | null;
}

export interface AddressAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** Null for http. */
  certificate: Certificate | null;
}

/** How names are looked up, and which authorities (PEM) count besides those of Node. */
export interface AddressSource {
  addressesOf(host: string): Promise<string[]>;
  authorities: string[];
}

/** In bytes; the dashboard's page is much shorter. */
const maxBody = 1_000_000;

/** Asks with GET, and follows no redirection. A bad certificate is reported and does not end the call, because it is one of the findings. */
export async function askAddress(url: URL, { addressesOf, authorities }: AddressSource, signal: AbortSignal): Promise<AddressAnswer> {
  const options = { lookup: lookupBy(addressesOf), agent: false, signal, headers: { accept: '*/*' } };
  const trust = authorities.length ? { ca: [...rootCertificates, ...authorities] } : {};
  return new Promise((resolve, reject) => {
    const answered = (answer: IncomingMessage) => void readAnswer(answer).then(resolve, reject);
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, ...trust, rejectUnauthorized: false }, answered)
        : httpRequest(url, options, answered);
    request.once('error', reject).end();
  });
}

async function readAnswer(answer: IncomingMessage): Promise<AddressAnswer> {
  const certificate = certificateOf(answer.socket);
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    body += chunk as string;
    if (body.length > maxBody) break;
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, body, certificate };
}

function certificateOf(socket: Socket): Certificate | null {
  if (!(socket instanceof TLSSocket)) return null;
  const { valid_to } = socket.getPeerCertificate();
  return { ends: new Date(valid_to), problem: socket.authorizationError ? String(socket.authorizationError) : null };
}

function lookupBy(addressesOf: AddressSource['addressesOf']): LookupFunction {
  return (host, options, done) => {
    addressesOf(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        const [first = { address: '', family: 4 }] = found;
        if (options.all) done(null, found);
        else done(null, first.address, first.family);
      },
      (err: NodeJS.ErrnoException) => done(err, '', 4),
    );
  };
}

const certificateProblems: Record<string, string> = {
  CERT_HAS_EXPIRED: 'is over',
  CERT_NOT_YET_VALID: 'is not valid yet; compare the clock',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by itself and not by an authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that browsers do not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes without its intermediate certificates, or from an authority that browsers do not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes without its intermediate certificates, or from an authority that browsers do not know',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name than that in PUBLIC_URL',
};

/** Why a certificate is refused, as the end of a sentence. `problem`: of `Certificate`. */
export const certificateFault = (problem: string): string => certificateProblems[problem] ?? `is refused (${problem})`;
