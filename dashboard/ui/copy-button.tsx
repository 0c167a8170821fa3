import { useTimed } from '../lib/use-timed.ts';

/** Copies `text`; shows and says `done` for `ms` afterwards. Where the browser forbids copying it shows the text to copy by hand. */
export function CopyButton({ text, label, done, ms }: { text: string; label: string; done: string; ms: number }) {
  const [state, show] = useTimed<'copied' | 'by hand'>(ms);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      show('copied');
    } catch {
      window.prompt(label, text);
    }
  };
  return (
    <button type="button" className="btn quiet" onClick={() => void copy()}>
      <span aria-live="polite">{state === 'copied' ? done : label}</span>
    </button>
  );
}
