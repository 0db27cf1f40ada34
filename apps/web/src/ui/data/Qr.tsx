import { useMemo } from 'react'
import { encode } from 'uqr'
import { cx } from '../classes.ts'

/** A QR code, dark on white in both themes, as scanners expect. */
export function Qr({ text, label, size: px = 'small' }: { text: string; label: string; size?: 'small' | 'large' }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: 2 })
    const path = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')
    return { size, path }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={cx('shrink-0 rounded-lg border border-line', px === 'small' ? 'size-[152px]' : 'size-60')}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
