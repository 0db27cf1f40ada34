import type { ReactNode } from 'react'
import type { Messages } from '../../../i18n/areas.ts'
import { cx } from '../../../ui/classes.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Link } from '../../kit/links.tsx'
import { formatWaitDuration } from '../../kit/times.ts'

/** Something that needs a person, and the page where it is done. */
export interface TodayItem {
  text: ReactNode
  key?: string
  to:
    | '/merchants/$id'
    | '/incidents/$id'
    | '/incidents'
    | '/merchants'
    | '/withdrawals'
    | '/orders'
    | '/chains'
    | '/money'
    | '/queues'
  search?: { status: '1' }
  params?: { id: string }
  detail?: ReactNode
}

/** The time since then (s) in words. */
export const formatTimeSince = (t: Messages<'operator'>, since: number): string =>
  formatWaitDuration(t, Date.now() / 1_000 - since)

/** The item, if there is anything to do. */
export const createItemIfAny = (count: number, item: TodayItem): TodayItem[] => (count > 0 ? [item] : [])

/** Items that lead to the pages where they are done; those of alarms are red. */
export const TodayItems = ({ items, alarm = false }: { items: readonly TodayItem[]; alarm?: boolean }) => (
  <ul className="divide-y divide-line border-t border-line">
    {items.map(({ text, key, to, search, params, detail }) => (
      <li key={key ?? String(text)}>
        <Link
          to={to}
          search={search}
          {...(params && { params })}
          look="none"
          className="flex min-h-12 items-center gap-3 px-5 py-2 text-sm hover:bg-sunken focus-visible:-outline-offset-2"
        >
          {alarm && <Icon name="warning" className="shrink-0 text-bad" />}
          <span className="min-w-0 grow">
            <span className={cx('block', alarm && 'font-medium text-bad')}>{text}</span>
            {detail && <span className="block text-xs wrap-anywhere text-ink-3">{detail}</span>}
          </span>
          <Icon name="chevronRight" className="shrink-0 text-ink-3" />
        </Link>
      </li>
    ))}
  </ul>
)
