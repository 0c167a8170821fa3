import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { useMemo } from 'react';

export interface QrProps {
  text: string;
  label: string;
}

/** Black on white in either colour scheme, for cameras. */
export function QrPicture({ text, label }: QrProps) {
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
