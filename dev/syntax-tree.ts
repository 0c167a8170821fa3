/** A node of a parsed file; offsets in characters. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [part: string]: unknown;
}

export const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** Calls `seen` for the node and all below it; what it answers `skip` to is not entered. */
export function walk(node: unknown, seen: (node: Node) => 'skip' | undefined | void): void {
  if (!isNode(node) || seen(node) === 'skip') return;
  for (const child of childrenOf(node)) walk(child, seen);
}
