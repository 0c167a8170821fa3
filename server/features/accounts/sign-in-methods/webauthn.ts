/** The library is loaded with the first passkey: it takes a sixth of the processor time in which a server loads its code. */
export async function webauthn() {
  const [library, helpers] = await Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')]);
  return { ...library, ...helpers };
}

export type WebAuthn = Awaited<ReturnType<typeof webauthn>>;
