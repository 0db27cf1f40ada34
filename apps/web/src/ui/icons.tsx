import { type SVGProps, use } from 'react'
import type { pageIcons } from './pageIcons.ts'
import type { shellIcons } from './shellIcons.ts'

/** Line icons on a 20 px grid with a 1.5 px stroke. Decorative: the control carries the accessible name. */
const paths = {
  close: 'm5 5 10 10M15 5 5 15',
  check: 'm4 10.5 4 4 8-9',
  chevronDown: 'm5 7.5 5 5 5-5',
  eye: 'M2 10s3-5.5 8-5.5 8 5.5 8 5.5-3 5.5-8 5.5S2 10 2 10Zm8 2.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z',
  eyeOff:
    'M3 3l14 14M8.2 4.7C8.8 4.6 9.4 4.5 10 4.5c5 0 8 5.5 8 5.5a14 14 0 0 1-2.3 2.8M5 6.2A13.5 13.5 0 0 0 2 10s3 5.5 8 5.5c1.3 0 2.5-.4 3.5-.9',
  globe:
    'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM2.5 10h15M10 2.5c2 2.2 3 4.7 3 7.5s-1 5.3-3 7.5c-2-2.2-3-4.7-3-7.5s1-5.3 3-7.5Z',
  sun: 'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM10 2.5V4M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M15.3 4.7l-1 1M5.7 14.3l-1 1',
  moon: 'M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3Z',
  screen: 'M3 4h14v9.5H3zM7.5 16.5h5M10 13.5v3',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 9.5v4M10 6.8h.01',
  warning: 'M10 3.5 2.5 16.5h15zM10 8.5v4M10 14.5h.01',
} as const
type More = typeof pageIcons & typeof shellIcons
export type IconName = keyof typeof paths | keyof More

const drawn: Partial<Record<IconName, string>> = { ...paths }

/** Adds the icons that only the back-office has. */
export const addIcons = (icons: Partial<More>): unknown => Object.assign(drawn, icons)

/** Loads the icons that are not there at the start, once. Without a connection it is tried again. */
export function loadIcons(): Promise<unknown> {
  rest ??= import('./pageIcons.ts').then(({ pageIcons }) => addIcons(pageIcons))
  rest.catch(() => {
    rest = undefined
  })
  return rest
}
let rest: Promise<unknown> | undefined

export function Icon({ name, size = 20, ...rest }: { name: IconName; size?: number } & SVGProps<SVGSVGElement>) {
  if (!drawn[name]) use(loadIcons())
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' || name === 'list' ? 2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      <path d={drawn[name]} />
    </svg>
  )
}
