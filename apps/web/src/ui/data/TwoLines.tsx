import type { ReactNode } from 'react'
import { cx } from '../classes.ts'
import { useWallTime } from './Values.tsx'

interface Props {
  first: ReactNode
  second: ReactNode
  /** For end-aligned columns. */
  end?: boolean
}

/** A table cell with a primary and a secondary line, for tables with `lines={2}`. */
export const TwoLines = ({ first, second, end }: Props) => (
  <>
    <div className={cx('flex h-6 items-center whitespace-nowrap', end && 'justify-end')}>{first}</div>
    <div
      data-second
      className={cx('flex h-5 items-center gap-1 text-xs whitespace-nowrap text-ink-3', end && 'justify-end')}
    >
      {second}
    </div>
  </>
)

/** Unix seconds as two lines in the merchant's time zone: the day and the time. */
export function DayAndClock({ seconds }: { seconds: number }) {
  const { text, zone, ready } = useWallTime(seconds)
  const [day, clock] = text.split(' ')
  return (
    <div title={`${text} ${zone}`} className={cx(!ready && 'invisible')}>
      <TwoLines first={<span className="num text-[13px]">{day}</span>} second={<span className="num">{clock}</span>} />
    </div>
  )
}
