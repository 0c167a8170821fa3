import type { NewPasskey, PasskeyAnswer } from '@porchlight/contract/sign-in-methods.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../lib/call.ts';
import { HttpError } from '../lib/http.ts';
import { passkeyError } from './passkey-errors.ts';

/** Passkeys in this browser (WebAuthn). The library loads at the first press, because few visitors need it. */

/** As the server makes them; only the library reads them. */
type Options = Record<string, unknown>;

/** False in old browsers, and at an address without TLS. */
export const browserHasPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function';

const neverChanges = () => () => {};
/** The build renders pages as for most browsers, which have passkeys. */
export const useBrowserHasPasskeys = (): boolean => useSyncExternalStore(neverChanges, browserHasPasskeys, () => true);

/** Opens the browser's dialog. Rejects with `Declined` if the user closes it. */
export async function createPasskey(optionsJSON: Options): Promise<NewPasskey> {
  const { startRegistration } = await library();
  const passkey = await startRegistration({ optionsJSON: optionsJSON as never }).catch((err: unknown) => {
    throw passkeyError(err, 'create');
  });
  return { ...passkey, clientExtensionResults: {} };
}

/** Asks for any passkey of this website, before anybody has logged in. */
export const askForLoginPasskey = (): Promise<PasskeyAnswer> => answerTo(call('POST /login/passkey/options'));

/** Asks for a passkey of the holder, where the password is asked again (P13.1). */
const askForOwnPasskey = (): Promise<PasskeyAnswer> => answerTo(call('POST /web/passkey-question'));

/**
 * How to ask the holder for a passkey; null without one, and until that is known. It does without the query library, because the dialog that
 * asks for a proof is part of pages for guests too, with `enabled` false.
 */
export function useOwnPasskey(enabled = true): (() => Promise<PasskeyAnswer>) | null {
  const [exists, setExists] = useState(false);
  useEffect(() => {
    if (!enabled || !browserHasPasskeys()) return;
    let closed = false;
    call('GET /web/sign-in-methods').then(
      ({ passkeys }) => !closed && setExists(passkeys.length > 0),
      // The password field does not depend on it.
      (err: unknown) => console.warn('The passkeys could not be loaded.', err),
    );
    return () => {
      closed = true;
    };
  }, [enabled]);
  return exists ? askForOwnPasskey : null;
}

async function answerTo(asked: Promise<{ options: Options }>): Promise<PasskeyAnswer> {
  const [{ options }, { startAuthentication }] = await Promise.all([asked, library()]);
  const answer = await startAuthentication({ optionsJSON: options as never }).catch((err: unknown) => {
    throw passkeyError(err, 'answer');
  });
  return { ...answer, clientExtensionResults: {} };
}

/** A part of the page that does not load has the same cause as a call without an answer. */
const library = () =>
  import('@simplewebauthn/browser').catch(() => {
    throw new HttpError(null);
  });
