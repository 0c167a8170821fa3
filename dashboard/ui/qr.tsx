import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { useMemo } from 'react';

/** Black on white in either colour scheme, for cameras. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => {
    const code = generate(text);
    return { path: toSvgPath(code), size: code.size };
  }, [text]);
  return (
    <svg className="qr" viewBox={`-3 -3 ${size + 6} ${size + 6}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="#16213a" />
    </svg>
  );
}
