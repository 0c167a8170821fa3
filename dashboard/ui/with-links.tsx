/** A sentence whose parts in braces are links, in this order: `I accept the {terms of service}.` */
export function WithLinks({ text, links }: { text: string; links: string[] }) {
  return text.split(/[{}]/).map((part, i) =>
    i % 2 ? (
      <a key={part} href={links[(i - 1) / 2]}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}
