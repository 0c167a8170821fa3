import { type ReactNode, useState } from 'react';
import { Icon } from '../../../ui/icons.tsx';

/** `open` is only the initial state, so that the section never closes while in use. */
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
