import { useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { TokenName } from '../../ui/logos/Logo.tsx'
import type { MerchantNotification } from './queries.ts'

const ExpenseHistory = lazyComponent(() => import('./ExpenseHistory.tsx'))

/** The gas cost of a fund aggregation, with a link to the history. */
export default function Expense({ notification, onClose }: { notification: MerchantNotification; onClose(): void }) {
  const t = useMessages('notifications')
  const common = useMessages('common')
  const [history, setHistory] = useState(false)
  const { amount, currency, created_time } = notification
  if (history) {
    return <ExpenseHistory onClose={onClose} />
  }
  return (
    <Modal
      open
      size="small"
      title={t.expenseDetails}
      text={t.expenseText}
      onClose={onClose}
      actions={<Button onClick={() => setHistory(true)}>{common.viewAll}</Button>}
    >
      <div className="border-y border-line py-4 text-center">
        <Amount exact value={amount ?? ''} unit={currency?.token ?? ''} className="text-[26px] font-semibold" />
      </div>
      <DetailList
        rows={[
          [t.currency, currency && <TokenName token={currency.token} chain={currency.chain} />],
          [t.time, <Time key="time" seconds={created_time} />],
        ]}
      />
    </Modal>
  )
}
