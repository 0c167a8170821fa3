import type { ReactNode } from 'react';

/** The icons' lines on a grid of 24 × 24. Icons always have a text beside them. */
const shapes = {
  laptop: <path d="M5 5h14a1 1 0 0 1 1 1v10H4V6a1 1 0 0 1 1-1zM2 19h20" />,
  tick: <path d="m5 13 4 4L19 7" />,
  warning: <path d="M12 4 2.5 20h19zM12 10v4M12 17.2v.1" />,
  wait: <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2" />,
  down: <path d="m6 9 6 6 6-6" />,
  moon: <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z" />,
  cross: <path d="M6 6l12 12M18 6 6 18" />,
  key: <path d="M8 10a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11.5 11.5 20 3M16 7l3 3" />,
  bell: <path d="M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4" />,
} satisfies Record<string, ReactNode>;

export function Icon({ name, size = 20, className }: { name: keyof typeof shapes; size?: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      {shapes[name]}
    </svg>
  );
}
