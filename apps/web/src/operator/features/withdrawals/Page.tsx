import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../../i18n/messages.ts'
import { Tabs } from '../../../ui/controls/Tabs.tsx'
import { Card } from '../../../ui/data/Card.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { useRead } from '../../kit/api.ts'
import { MerchantLink, WithdrawalLink } from '../../kit/links.tsx'
import { Address, Rows, Two, WithdrawalBadge } from '../../kit/Rows.tsx'
import type { ConsoleRouter } from '../../routes.ts'
import { Refunds } from './Refunds.tsx'
import { Releases } from './Releases.tsx'

const groups = ['waiting', 'sending', 'ended'] as const
type Group = (typeof groups)[number]

/** Withdrawals by what becomes of them, below other payouts that wait for an operator. */
export default function Withdrawals() {
  const t = useMessages('operator')
  const navigate = useNavigate()
  const { group = 'waiting' } = useSearch<ConsoleRouter, '/withdrawals'>({ from: '/withdrawals' })
  return (
    <>
      <PageHeader title={t.menu.withdrawals} text={t.withdrawalsText} />
      <Releases />
      <Refunds />
      <Card flush>
        <div className="px-5 pt-2">
          <Tabs<Group>
            label={t.menu.withdrawals}
            value={group}
            tabs={groups.map(value => ({ value, title: t.withdrawalGroups[value] }))}
            onChange={next => void navigate({ to: '.', search: { group: next } as never })}
          />
        </div>
        <Rows
          title={t.menu.withdrawals}
          columns={[
            {
              title: t.withdrawal,
              sticky: 'start',
              cell: row => (
                <Two
                  first={
                    <WithdrawalLink id={row.id}>
                      <Amount value={row.amount} unit={row.token} />
                    </WithdrawalLink>
                  }
                  second={row.chain}
                />
              ),
            },
            { title: t.value, align: 'end', cell: row => <Amount value={row.usdt_value} unit="USDT" /> },
            { title: t.merchant, cell: row => <MerchantLink id={row.mchid} /> },
            { title: t.to, cell: row => <Address value={row.address} /> },
            { title: t.state, cell: row => <WithdrawalBadge status={row.status} /> },
            {
              title: t.approvals,
              cell: row => (group === 'waiting' ? t.approvalsOf(row.approvals.length, row.people) : ''),
            },
            { title: t.time, cell: row => <Time seconds={row.created_time} /> },
          ]}
          read={useRead('GET /api/operator/v1/withdrawals', { query: { group } })}
          empty={t.noWithdrawals}
        />
      </Card>
    </>
  )
}
