import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { later } from '../../lib/later.tsx'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Popover } from '../../ui/controls/Popover.tsx'
import { Skeleton } from '../../ui/feedback/States.tsx'
import { type Notification, notificationPages, useUnreadCount } from './queries.ts'

const List = lazy(() => import('./List.tsx'))
const Expense = later(() => import('./Expense.tsx'))
const shownUpTo = 99

/** The notification bell with its unread count and dropdown. */
export function Bell() {
  const t = useMessages('shell')
  const navigate = useNavigate()
  const [expense, setExpense] = useState<Notification | null>(null)
  const { data } = useInfiniteQuery(notificationPages)
  const unread = useUnreadCount(data?.pages[0]?.unread ?? 0)
  const count = unread > shownUpTo ? `${shownUpTo}+` : String(unread)
  return (
    <>
      <Popover
        label={t.notifications}
        align="end"
        className="w-[min(400px,calc(100vw-16px))] overflow-hidden"
        trigger={props => (
          <IconButton
            icon="bell"
            label={unread > 0 ? t.notificationsUnread(count) : t.notifications}
            badge={unread > 0 && <Count text={count} />}
            {...props}
          />
        )}
      >
        {close => (
          <Suspense fallback={<Skeleton className="m-5 h-[465px]" />}>
            <List
              onExpense={notification => {
                close()
                setExpense(notification)
              }}
              onPayment={trade_no => {
                close()
                void navigate({ to: '/record', search: { trade_no } })
              }}
            />
          </Suspense>
        )}
      </Popover>
      {expense && <Expense notification={expense} onClose={() => setExpense(null)} />}
    </>
  )
}

const Count = ({ text }: { text: string }) => (
  <span
    aria-hidden="true"
    className="num absolute top-0.5 left-[calc(50%-3px)] flex h-4 min-w-4 items-center justify-center rounded-full bg-bad-fill px-1 text-[11px] leading-none font-semibold text-on-accent"
  >
    {text}
  </span>
)
