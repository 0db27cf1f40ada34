import type { SVGProps } from 'react'

/** Line icons on a 20 px grid with a 1.5 px stroke. Decorative: the control carries the accessible name. */
const paths = {
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  close: 'm5 5 10 10M15 5 5 15',
  check: 'm4 10.5 4 4 8-9',
  chevronDown: 'm5 7.5 5 5 5-5',
  chevronLeft: 'm12.5 5-5 5 5 5',
  chevronRight: 'm7.5 5 5 5-5 5',
  arrowRight: 'M4 10h12m-4.5-4.5L16 10l-4.5 4.5',
  external: 'M8 4H4.5v11.5H16V12M11.5 4H16v4.5M16 4l-7.5 7.5',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm4-1.5 4 4',
  copy: 'M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7',
  eye: 'M2 10s3-5.5 8-5.5 8 5.5 8 5.5-3 5.5-8 5.5S2 10 2 10Zm8 2.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z',
  eyeOff:
    'M3 3l14 14M8.2 4.7C8.8 4.6 9.4 4.5 10 4.5c5 0 8 5.5 8 5.5a14 14 0 0 1-2.3 2.8M5 6.2A13.5 13.5 0 0 0 2 10s3 5.5 8 5.5c1.3 0 2.5-.4 3.5-.9',
  bell: 'M4.5 14.5h11l-1.3-2V8.7a4.2 4.2 0 0 0-8.4 0v3.8zM8.3 16.8a1.9 1.9 0 0 0 3.4 0',
  globe:
    'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM2.5 10h15M10 2.5c2 2.2 3 4.7 3 7.5s-1 5.3-3 7.5c-2-2.2-3-4.7-3-7.5s1-5.3 3-7.5Z',
  sun: 'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM10 2.5V4M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M15.3 4.7l-1 1M5.7 14.3l-1 1',
  moon: 'M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3Z',
  screen: 'M3 4h14v9.5H3zM7.5 16.5h5M10 13.5v3',
  user: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 16.5c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5',
  book: 'M4 4.5h4.5c.8 0 1.5.7 1.5 1.5v10c0-.8-.7-1.5-1.5-1.5H4zM16 4.5h-4.5c-.8 0-1.5.7-1.5 1.5v10c0-.8.7-1.5 1.5-1.5H16z',
  logout: 'M8 4H4v12h4M8.5 10H17m-3-3 3 3-3 3',
  home: 'm3 9 7-5.5L17 9v7.5h-4.5V12h-5v4.5H3z',
  chart: 'M3.5 3.5v13h13M7 13.5V10M10.5 13.5v-7M14 13.5V8.5',
  list: 'M7.5 5.5H17M7.5 10H17M7.5 14.5H17M3.5 5.5h.01M3.5 10h.01M3.5 14.5h.01',
  wallet: 'M3 6h14v10H3zM3 6l9.5-2.5V6M13 11h1.5',
  swap: 'M3.5 7h12m-3-3 3 3-3 3M16.5 13h-12m3 3-3-3 3-3',
  withdraw: 'M10 3.5v8.5m-3.5-3.5L10 12l3.5-3.5M3.5 13v3.5h13V13',
  refund: 'M7 4 3.5 7.5 7 11M3.5 7.5h8a4.5 4.5 0 0 1 0 9H8',
  key: 'M7 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10.5 10H17v3M14 10v2',
  webhook: 'M3.5 5.5h13v9h-13zM3.5 6l6.5 5 6.5-5',
  bill: 'M5 3h10v14l-2.5-1.5L10 17l-2.5-1.5L5 17zM8 7h4M8 10.5h4',
  pin: 'M10 17s5-4.7 5-8.5a5 5 0 0 0-10 0C5 12.3 10 17 10 17Zm0-6.8a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z',
  ticket: 'M3 5.5h14v3a1.5 1.5 0 0 0 0 3v3H3v-3a1.5 1.5 0 0 0 0-3zM12 5.5v9',
  shield: 'M10 3 4 5.2v4.3c0 3.7 2.5 6.2 6 7.5 3.5-1.3 6-3.8 6-7.5V5.2zM7.5 10l1.8 1.8L12.8 8',
  plus: 'M10 4v12M4 10h12',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  edit: 'M4 16l.8-3.5L13 4.3l2.7 2.7-8.2 8.2zM11.5 6l2.5 2.5',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.7 10.5h7.6L14.5 6M8.5 9v4.5M11.5 9v4.5',
  refresh: 'M16 8.5A6.3 6.3 0 0 0 4.3 7.5M4 4v3.5h3.5M4 11.5a6.3 6.3 0 0 0 11.7 1M16 16v-3.5h-3.5',
  download: 'M10 3.5v9m-3.5-3.5 3.5 3.5L13.5 9M4 16.5h12',
  upload: 'M10 13V4m-3.5 3.5L10 4l3.5 3.5M4 16.5h12',
  filter: 'M3 5h14l-5.5 6v5l-3-1.5V11z',
  calendar: 'M3.5 5h13v11.5h-13zM3.5 8.5h13M7 3v3.5M13 3v3.5',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 9.5v4M10 6.8h.01',
  warning: 'M10 3.5 2.5 16.5h15zM10 8.5v4M10 14.5h.01',
  sidebar: 'M3 4h14v12H3zM8 4v12',
  star: 'm10 3 2.1 4.4 4.9.7-3.5 3.4.8 4.8L10 14l-4.3 2.3.8-4.8L3 8.1l4.9-.7z',
  send: 'M17 3 2.5 8.8l5.7 2.5L17 3Zm0 0-6.3 14-2.5-5.7',
} as const
export type IconName = keyof typeof paths

export function Icon({ name, size = 20, ...rest }: { name: IconName; size?: number } & SVGProps<SVGSVGElement>) {
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
      <path d={paths[name]} />
    </svg>
  )
}
