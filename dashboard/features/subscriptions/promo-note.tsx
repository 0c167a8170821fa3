import { buy, messages } from './messages.ts';

export function PromoNote({ code, children }: { code: string; children: string }) {
  return (
    <section className="note good" aria-label={messages.promo.label}>
      <p>
        <strong>{children}</strong>
      </p>
      <p>{buy.taken(code)}</p>
    </section>
  );
}
