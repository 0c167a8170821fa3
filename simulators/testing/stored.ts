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

/** A document in memory, for tests in which many customers make serialising slow. */
export function documentInMemory<T extends object>(content: T): SharedDocument<T> {
  return {
    change: async (work) => work(content),
    read: async (select) => select(content),
  };
}
