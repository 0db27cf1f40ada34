import { useSearch } from '@tanstack/react-router'
import { useMessages } from '../../../i18n/messages.ts'
import { Tabs } from '../../../ui/controls/Tabs.tsx'
import { Card } from '../../../ui/data/Card.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { useRead } from '../../kit/api.ts'
import { withdrawalColumn } from '../../kit/found.tsx'
import { useConsoleNavigate } from '../../kit/links.tsx'
import { Address, MerchantCell, Rows, TwoLineCell, WithdrawalBadge } from '../../kit/Rows.tsx'
import { formatWaitDuration } from '../../kit/times.ts'
import type { ConsoleRouter } from '../../routes.ts'
import { formatWaitReason } from './formatWaitReason.ts'
import { DecidedRefunds, Refunds } from './Refunds.tsx'
import { Releases } from './Releases.tsx'

const groups = ['waiting', 'sending', 'ended'] as const
type Group = (typeof groups)[number]

/** Withdrawals by what becomes of them, below other payouts that wait for an operator. */
export default function Withdrawals() {
  const t = useMessages('operator')
  const navigate = useConsoleNavigate()
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
            onChange={next => void navigate({ to: '/withdrawals', search: { group: next } })}
          />
        </div>
        <Rows
          title={t.menu.withdrawals}
          columns={[
            withdrawalColumn(t.withdrawal),
            { title: t.value, align: 'end', cell: row => <Amount value={row.usdt_value} unit="USDT" /> },
            { title: t.merchant, cell: row => <MerchantCell of={row} /> },
            { title: t.to, cell: row => <Address value={row.address} /> },
            { title: t.state, phone: 'value', cell: row => <WithdrawalBadge status={row.status} /> },
            group === 'waiting'
              ? {
                  title: t.whyWaits,
                  cell: row => (
                    <TwoLineCell
                      first={formatWaitReason(t, row)}
                      second={t.approvedBy(row.approvals.length, row.people)}
                    />
                  ),
                }
              : {
                  title: t.reason,
                  cell: row => <span className="block min-w-32">{t.payoutReasons[row.reason] ?? row.reason}</span>,
                },
            {
              title: group === 'ended' ? t.time : t.age,
              cell: row =>
                group === 'ended' ? (
                  <Time seconds={row.created_time} />
                ) : (
                  <TwoLineCell
                    first={formatWaitDuration(t, Date.now() / 1_000 - row.created_time)}
                    second={<Time seconds={row.created_time} />}
                  />
                ),
            },
          ]}
          read={useRead('GET /api/operator/v1/withdrawals', { query: { group } })}
          empty={t.noWithdrawals}
        />
      </Card>
      <DecidedRefunds />
    </>
  )
}
