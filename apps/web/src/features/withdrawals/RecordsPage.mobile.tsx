import { lazy } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { MaskedNumber } from '../../kit/list/columns.tsx'
import { BottomAction } from '../../kit/mobile/BottomAction.tsx'
import { TimeOfDay } from '../../kit/mobile/Rows.tsx'
import { RowsPage } from '../../kit/mobile/RowsPage.tsx'
import { useList } from '../../kit/mobile/useList.ts'
import { lists } from '../../lists.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import { useWithdrawalFilterFields } from './RecordsPage.tsx'
import { formatWithdrawalStatus } from './WithdrawalBadge.tsx'

const WithdrawalDrawer = lazy(() => import('./WithdrawalDrawer.tsx'))

/** Withdrawals on a phone. */
export default function Withdrawals() {
  const t = useMessages('withdrawals')
  const list = useList(lists.withdrawals)
  return (
    <RowsPage
      title={t.records}
      caption={t.caption}
      list={list}
      rowKey="id"
      filters={useWithdrawalFilterFields()}
      row={row => ({
        picture: <TokenLogo token={row.token} size={36} />,
        title: <MaskedNumber value={row.address} />,
        value: <Amount value={row.amount} unit={row.token} />,
        text: (
          <>
            <TimeOfDay seconds={row.created_time} /> · <span className="inline-block">{row.chain}</span>
          </>
        ),
        note: formatWithdrawalStatus(t, row.status),
      })}
      empty={<Empty icon="withdraw" title={t.emptyTitle} text={t.emptyText} />}
      drawer={id => <WithdrawalDrawer id={id} onClose={list.close} />}
    >
      <BottomAction>
        <Link to="/withdraw" look="primary" size="large">
          {t.newOne}
        </Link>
      </BottomAction>
    </RowsPage>
  )
}
