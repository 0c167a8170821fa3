import type { NewPasskey } from '@porchlight/contract/sign-in-methods.ts';
import { describedPasskey } from './passkey-answers.ts';
import type { PasskeyQuestions, Question } from './passkey-questions.ts';
import { type PasskeySite, userHandleOf } from './passkey-site.ts';
import type { PasskeyKey } from './passkey-store.ts';
import { type WebAuthn, webauthn } from './webauthn.ts';

const algorithmsOf = ({ COSEALG }: WebAuthn) => [COSEALG.ES256, COSEALG.EdDSA, COSEALG.RS256];

/** The making of a new passkey (P13.1): discoverable, so that it logs in alone, and only where its user is verified by a PIN or a finger. */
export function passkeyRegistration(questions: PasskeyQuestions, site: PasskeySite) {
  return {
    /** `known`: the account's passkeys, so that no authenticator makes a second one. */
    async optionsFor(account: { uuid: string; name: string; email: string }, known: { credential_id: Buffer; transports: string }[]) {
      const library = await webauthn();
      return library.generateRegistrationOptions({
        rpName: site.name,
        rpID: site.id,
        userID: new Uint8Array(userHandleOf(account.uuid)),
        userName: account.email,
        userDisplayName: account.name,
        challenge: questions.ask({ what: 'add', account: account.uuid }),
        timeout: site.timeout_ms,
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: algorithmsOf(library),
        excludeCredentials: known.map(describedPasskey),
      });
    },

    /** Null if the passkey was not made as asked, or not for this account. */
    async check(account: string, given: NewPasskey): Promise<{ key: PasskeyKey; question: Question } | null> {
      let challenge = '';
      const made = await verified(given, site, (of) => {
        challenge = of;
      }).catch(() => null);
      const question = questions.find(challenge, { what: 'add', account });
      if (!made?.verified || !question) return null;
      const { id, publicKey, counter } = made.registrationInfo.credential;
      const transports = (given.response.transports ?? []).filter((transport) => /^[a-z-]+$/.test(transport));
      const key = {
        credential_id: Buffer.from(id, 'base64url'),
        public_key: Buffer.from(publicKey),
        counter,
        transports: transports.join(','),
      };
      return { key, question };
    },
  };
}

/** Throws for whatever does not fit: the origin, the key's algorithm, bytes that are no CBOR. */
async function verified({ response, ...given }: NewPasskey, site: PasskeySite, foundChallenge: (challenge: string) => void) {
  const { clientDataJSON, attestationObject } = response;
  const library = await webauthn();
  return library.verifyRegistrationResponse({
    response: { ...given, response: { clientDataJSON, attestationObject: withoutStatement(library, attestationObject) } },
    expectedChallenge(challenge) {
      foundChallenge(String(challenge));
      return true;
    },
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithmsOf(library),
  });
}

/**
 * Without the maker's statement about the authenticator, for which nobody asked: to check one, the library would fetch addresses from its
 * certificates, which a caller can choose.
 */
function withoutStatement({ decodeAttestationObject, isoCBOR }: WebAuthn, attestationObject: string): string {
  const authData = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url'))).get('authData');
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ]);
  return Buffer.from(isoCBOR.encode(bare)).toString('base64url');
}
