/** @jsxImportSource preact */
import { useMemo } from 'preact/hooks'
import { qrPath } from '../ui/data/qrPath.ts'

/** Dark on white in both themes, as scanners expect. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
      class="size-[244px] max-w-full rounded-lg border border-line"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
