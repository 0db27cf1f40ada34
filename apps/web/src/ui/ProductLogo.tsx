import type { SVGProps } from 'react'

/** The product logo. */
export const ProductLogo = (props: SVGProps<SVGSVGElement>) => (
  <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true" className="shrink-0" {...props}>
    <rect width="32" height="32" rx="8" className="fill-accent" />
    <path
      d="M21.2 12.2a6.4 6.4 0 1 0 0 7.6"
      fill="none"
      className="stroke-on-accent"
      strokeWidth="3"
      strokeLinecap="round"
    />
    <circle cx="16" cy="16" r="1.8" className="fill-on-accent" />
  </svg>
)
