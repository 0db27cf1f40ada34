import { useState } from 'react'
import List from '../../features/notifications/List.tsx'
import type { MerchantNotification } from '../../features/notifications/queries.ts'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { Drawer } from '../../ui/feedback/Modal.tsx'

const Expense = lazyComponent(() => import('../../features/notifications/Expense.tsx'))

/** The notifications as a page. */
export default function News({ onClose }: { onClose(): void }) {
  const t = useMessages('shell')
  const [expense, setExpense] = useState<MerchantNotification | null>(null)
  return (
    <>
      <Drawer open flush title={t.notifications} onClose={onClose}>
        <List whole onExpense={setExpense} onLeave={onClose} />
      </Drawer>
      {expense && <Expense notification={expense} onClose={() => setExpense(null)} />}
    </>
  )
}
