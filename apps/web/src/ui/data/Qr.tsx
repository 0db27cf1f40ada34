import { useMemo } from 'react'
import { cx } from '../classes.ts'
import { qrPath } from './qrPath.ts'

/** A QR code, dark on white in both themes, as scanners expect. */
export function Qr({ text, label, size: px = 'small' }: { text: string; label: string; size?: 'small' | 'large' }) {
  const { size, path } = useMemo(() => qrPath(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={cx('shrink-0 rounded-lg border border-line', px === 'small' ? 'size-[168px]' : 'size-66')}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
