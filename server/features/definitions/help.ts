import type { Definition } from '@porchlight/definitions/format.ts';

/** The words of these families, as they are published now. One that is gone is not among them. */
export function helpIn(inForce: () => Promise<Definition[]>) {
  return async (identifiers: string[]): Promise<Map<string, Definition['help']>> => {
    const wanted = new Set(identifiers);
    return new Map((await inForce()).filter(({ identifier }) => wanted.has(identifier)).map(({ identifier, help }) => [identifier, help]));
  };
}
