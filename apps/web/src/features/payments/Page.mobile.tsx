import { lazy } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { OrderPrice, TimeOfDay } from '../../kit/mobile/Rows.tsx'
import { RowsPage } from '../../kit/mobile/RowsPage.tsx'
import { useList } from '../../kit/mobile/useList.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { lists } from '../../lists.ts'
import { Amount } from '../../ui/data/Values.tsx'
import { PaymentExceptionText, PaymentStatusText } from '../../ui/feedback/StateBadge.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import { selectAmountOwed } from './owed.ts'
import { useSearchField, useStatusField } from './quickFields.ts'

const PhoneFilters = lazyComponent(() => import('./PhoneFilters.tsx'))
const PaymentDrawer = lazy(() => import('./PaymentDrawer.tsx'))

/** Payments on a phone. */
export default function Records() {
  const t = useMessages('payments')
  const list = useList(lists.payments)
  return (
    <RowsPage
      title={t.title}
      caption={t.caption}
      list={list}
      rowKey="trade_no"
      filters={[useSearchField(), useStatusField()]}
      Sheet={PhoneFilters}
      row={row => ({
        picture:
          row.token === '' ? (
            <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-sunken text-ink-3">
              <Icon name="more" size={16} />
            </span>
          ) : (
            <TokenLogo token={row.token} size={36} />
          ),
        title: row.title || row.out_trade_no,
        value: <Amount {...selectAmountOwed(row)} />,
        text: (
          <>
            <OrderPrice of={row} />
            <TimeOfDay seconds={row.created_time} /> · {row.apply_name}
          </>
        ),
        note: (
          <>
            {row.exception !== 'none' && (
              <>
                <PaymentExceptionText exception={row.exception} /> ·{' '}
              </>
            )}
            <PaymentStatusText status={row.status} />
          </>
        ),
      })}
      notice={list.truncated && <p className="mb-3 text-[13px] text-ink-2">{t.truncated}</p>}
      empty={<Empty title={t.emptyTitle} text={t.emptyText} />}
      drawer={trade_no => <PaymentDrawer trade_no={trade_no} onClose={list.close} />}
    />
  )
}
