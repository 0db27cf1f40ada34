import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Popover } from '../../ui/controls/Popover.tsx'
import { Skeleton } from '../../ui/feedback/States.tsx'
import { formatUnreadCount } from './formatUnreadCount.ts'
import { type MerchantNotification, useUnreadCounts } from './queries.ts'

const List = lazy(() => import('./List.tsx'))
const Expense = lazyComponent(() => import('./Expense.tsx'))

/** The notification bell with its unread count and dropdown. */
export function Bell() {
  const t = useMessages('shell')
  const [expense, setExpense] = useState<MerchantNotification | null>(null)
  const { counted, money } = useUnreadCounts()
  const count = formatUnreadCount(counted)
  return (
    <>
      <Popover
        label={t.notifications}
        align="end"
        className="w-[min(400px,calc(100vw-16px))] overflow-hidden"
        trigger={props => (
          <IconButton
            icon="bell"
            label={counted > 0 ? t.notificationsUnread(count) : money > 0 ? t.notificationsMoney : t.notifications}
            badge={counted > 0 ? <Count text={count} /> : money > 0 && <Dot />}
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
              onLeave={close}
            />
          </Suspense>
        )}
      </Popover>
      {expense && <Expense notification={expense} onClose={() => setExpense(null)} />}
    </>
  )
}

/** Says that only money has moved, which the bell does not count. */
const Dot = () => <span aria-hidden="true" className="absolute top-2 right-2 size-2 rounded-full bg-theme" />

const Count = ({ text }: { text: string }) => (
  <span
    aria-hidden="true"
    className="num absolute top-0.5 left-[calc(50%-3px)] flex h-4 min-w-4 items-center justify-center rounded-full bg-bad-fill px-1 text-[11px] leading-none font-semibold text-on-accent"
  >
    {text}
  </span>
)
