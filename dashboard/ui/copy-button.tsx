import { useTimed } from '../lib/use-timed.ts';

/** Copies `text`, then shows and announces `done` for `ms`. If the browser forbids copying, it shows the text instead. */
export function CopyButton({ text, label, done: doneText, ms }: { text: string; label: string; done: string; ms: number }) {
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
      <span aria-live="polite">{state === 'copied' ? doneText : label}</span>
    </button>
  );
}
