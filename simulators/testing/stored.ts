import type { SharedDocument } from '../ports.ts';

/** A document in memory, serialised on every change like the document that a server stores. */
export function storedDocument<T extends object>(initialContent: T): SharedDocument<T> & { text(): string } {
  let text = JSON.stringify(initialContent);
  return {
    text: () => text,
    async change(work) {
      const content = JSON.parse(text) as T;
      try {
        return work(content);
      } finally {
        text = JSON.stringify(content);
      }
    },
    read: async (select) => select(JSON.parse(text) as T),
  };
}
