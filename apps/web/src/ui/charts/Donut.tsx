import { type ReactNode, useState } from 'react'
import { cx } from '../classes.ts'
import { computeAmountColumnStyle } from '../data/computeAmountColumnStyle.ts'
import { Amount } from '../data/Values.tsx'

/** A part of a whole. */
export interface Slice {
  key: string
  name: ReactNode
  /** Share of the total, between 0 and 1. */
  ratio: number
  /** Amount at the end of the legend line, a decimal string. */
  value: string
}

interface Props {
  caption: string
  slices: readonly Slice[]
  /** Shown in the middle: the total. */
  centre?: ReactNode
  size?: number
  /** Formats a share: 0.125 as 12.5%. */
  formatShare(ratio: number): string
}

const thicknessPx = 22
/** Between two parts, as a share of the ring. */
const gap = 0.003
const parts = 11
/** Legends with more lines use two columns where there is room. */
const oneColumn = 6

export const getSliceColor = (index: number): string => `var(--part-${Math.min(index + 1, parts)})`

/** Shares of a total, largest first. The legend states everything that the ring shows. */
export function Donut({ caption, slices, centre, size = 176, formatShare }: Props) {
  const [active, setActive] = useState<string | null>(null)
  const radius = size / 2
  const between = slices.length > 1 ? gap : 0
  const starts = slices.map((_, index) => slices.slice(0, index).reduce((sum, { ratio }) => sum + ratio, 0))
  return (
    <figure aria-label={caption} className="flex flex-wrap items-center gap-x-8 gap-y-5">
      <div className="relative mx-auto shrink-0" style={{ width: size, height: size }}>
        <svg
          width={size}
          height={size}
          viewBox={`${-radius} ${-radius} ${size} ${size}`}
          aria-hidden="true"
          fill="none"
          strokeWidth={thicknessPx}
          className="-rotate-90"
        >
          <circle r={radius - thicknessPx / 2} className="stroke-sunken" />
          {slices.map((slice, index) => (
            <circle
              key={slice.key}
              r={radius - thicknessPx / 2}
              pathLength={1}
              stroke={getSliceColor(index)}
              strokeDasharray={`${Math.max(0, slice.ratio - between)} 2`}
              strokeDashoffset={-((starts[index] ?? 0) + between / 2)}
              pointerEvents="stroke"
              opacity={active === null || active === slice.key ? 1 : 0.35}
              onPointerEnter={() => setActive(slice.key)}
              onPointerLeave={() => setActive(null)}
              className="transition-opacity"
            />
          ))}
        </svg>
        {centre && (
          <div className="pointer-events-none absolute inset-8 flex flex-col items-center justify-center text-center">
            {centre}
          </div>
        )}
      </div>
      <Lines slices={slices} formatShare={formatShare} active={active} onActive={setActive} />
    </figure>
  )
}

interface LinesProps extends Pick<Props, 'slices' | 'formatShare'> {
  active: string | null
  onActive(key: string | null): void
}

/** The legend. */
const Lines = ({ slices, formatShare, active, onActive }: LinesProps) => (
  <ul
    style={computeAmountColumnStyle(slices)}
    className={cx('min-w-52 flex-1 text-[13px]', slices.length > oneColumn && 'gap-x-8 lg:columns-2')}
  >
    {slices.map((slice, index) => (
      <li
        key={slice.key}
        onPointerEnter={() => onActive(slice.key)}
        onPointerLeave={() => onActive(null)}
        className={cx(
          'flex min-h-8 break-inside-avoid items-center gap-3 rounded-md px-2',
          active === slice.key && 'bg-sunken',
        )}
      >
        <span
          aria-hidden="true"
          style={{ background: getSliceColor(index) }}
          className="size-2.5 shrink-0 rounded-sm"
        />
        <span className="min-w-0 grow truncate">{slice.name}</span>
        <Amount column value={slice.value} />
        <span className="num w-14 shrink-0 text-right text-ink-3">{formatShare(slice.ratio)}</span>
      </li>
    ))}
  </ul>
)
