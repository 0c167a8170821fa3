import type { Definition } from '@porchlight/definitions/format.ts';

export function helpIn(inForce: () => Promise<Definition[]>) {
  return async (identifiers: string[]): Promise<Map<string, Definition['help']>> => {
    const requested = new Set(identifiers);
    return new Map(
      (await inForce()).filter(({ identifier }) => requested.has(identifier)).map(({ identifier, help }) => [identifier, help]),
    );
  };
}
