import type { ReactNode } from 'react';

const scenes = {
  devices: (
    <>
      <path d="M20 92h120M34 92v24M126 92v24" />
      <path d="M52 20h56v48H52zM80 20v48M52 44h56" opacity=".45" />
      <path d="M60 92V80h40v12" strokeDasharray="5 6" />
    </>
  ),
  quiet: (
    <>
      <path d="M30 116V62l50-36 50 36v54zM68 116V86h24v30" />
      <path d="M106 78h14v14h-14z" opacity=".45" />
      <path d="M44 72h10l-1 12h-8z" fill="var(--lamp)" />
      <path d="M126 22a10 10 0 1 0 10 12 8 8 0 0 1-10-12z" opacity=".45" />
    </>
  ),
  lost: (
    <>
      <path d="M18 116c30-4 34-28 62-30s30-24 44-34" strokeDasharray="8 8" />
      <path d="M124 52V24M112 24h30l6 8-6 8h-30z" />
    </>
  ),
  payment: (
    <>
      <path d="M80 4v5M68 18l12-9 12 9M71 20h18l-2 20H73z" fill="var(--lamp)" />
      <rect x="30" y="56" width="100" height="64" rx="8" />
      <path d="M30 74h100" opacity=".45" />
      <path d="m68 96 9 9 17-18" />
    </>
  ),
  together: (
    <>
      <circle cx="52" cy="42" r="14" />
      <circle cx="108" cy="42" r="14" />
      <path d="M28 92c0-18 10-30 24-30s24 12 24 30M84 92c0-18 10-30 24-30s24 12 24 30M16 92h128" />
      <path d="M74 76h12l-2 16h-8z" fill="var(--lamp)" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export function Illustration({ of }: { of: keyof typeof scenes }) {
  return (
    <svg
      viewBox="0 0 160 128"
      width="160"
      height="128"
      fill="none"
      stroke="var(--ink-soft)"
      strokeWidth="3.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {scenes[of]}
    </svg>
  );
}
