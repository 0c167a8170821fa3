import { type ReactNode, useState } from 'react';
import { Icon } from '../../../ui/icons.tsx';

/** A collapsible section. `open` is its initial state; it never closes while someone uses it. */
export function Collapsible({ title, id, open, children }: { title: string; id: string; open: boolean; children: ReactNode }) {
  const [first] = useState(open);
  return (
    <details className="fold" open={first}>
      <summary>
        <h2 id={id}>{title}</h2>
        <Icon name="down" className="turn" />
      </summary>
      <div className="stack">{children}</div>
    </details>
  );
}
