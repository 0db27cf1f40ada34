import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Card, Stat } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useRead } from '../api.ts'
import { A } from '../place.tsx'
import { Address, RowsCard } from '../Rows.tsx'

type Liquidity = OperatorData<'GET /api/operator/v1/liquidity'>['list'][number]

/** What needs a person, money in and out, and what each wallet holds beside what is reserved. */
export default function Today() {
  const t = useMessages('operator')
  const common = useMessages('common')
  const today = useRead('GET /api/operator/v1/today', {})
  const liquidity = useRead('GET /api/operator/v1/liquidity', {})
  const { data } = today
  const todo: { text: string; to: string; detail?: ReactNode }[] = data
    ? [
        ...(data.openings ? [{ text: t.todoOpenings(data.openings), to: '/merchants?status=1' }] : []),
        ...(data.withdrawals
          ? [
              {
                text: t.todoWithdrawals(data.withdrawals),
                to: '/withdrawals',
                ...(data.second_approvals && { detail: t.todoSecond(data.second_approvals) }),
              },
            ]
          : []),
        ...(data.refunds ? [{ text: t.todoRefunds(data.refunds), to: '/withdrawals' }] : []),
        ...(data.work_orders ? [{ text: t.todoOrders(data.work_orders), to: '/orders?status=1' }] : []),
        ...(data.incidents ? [{ text: t.todoIncidents(data.incidents), to: '/chains' }] : []),
        ...data.chains.map(({ name, why }) => ({
          text: t.todoChain(name),
          to: '/chains',
          detail: t.delays[why] ?? why,
        })),
        ...data.nodes.map(({ chain, host, reason }) => ({
          text: t.todoNode(chain, host),
          to: '/chains',
          detail: reason,
        })),
        ...(data.wallets ? [{ text: t.todoWallets(data.wallets), to: '/money' }] : []),
        ...(data.dead_letters ? [{ text: t.todoDead(data.dead_letters), to: '/queues' }] : []),
        ...data.paused.map(queue => ({ text: t.todoPaused(t.queueNames[queue]), to: '/queues' })),
      ]
    : []
  const columns: Column<Liquidity>[] = [
    { key: 'chain', title: t.chain, sticky: 'start', cell: row => row.chain },
    { key: 'token', title: t.token, cell: row => row.token },
    {
      key: 'balance',
      title: t.onWallet,
      align: 'end',
      cell: row => (row.balance === '' ? t.noAnswer : <Amount value={row.balance} />),
    },
    { key: 'reserved', title: t.reserved, align: 'end', cell: row => <Amount value={row.reserved} /> },
    { key: 'unswept', title: t.unswept, align: 'end', cell: row => <Amount value={row.unswept} /> },
    { key: 'owed', title: t.owed, align: 'end', cell: row => <Amount value={row.owed} /> },
    {
      key: 'state',
      title: t.state,
      cell: row => (
        <Badge kind={row.balance === '' ? 'closed' : row.short ? 'error' : 'success'}>
          {row.balance === '' ? common.unknown : row.short ? t.short : t.enough}
        </Badge>
      ),
    },
    { key: 'address', title: t.wallet, cell: row => <Address value={row.address} /> },
  ]
  return (
    <>
      <PageHeader title={t.menu.today} text={t.todayText} />
      {today.error && !data ? (
        <ErrorState error={today.error} onRetry={() => void today.refetch()} />
      ) : (
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
          <Card title={t.todo} flush className="lg:col-span-2">
            {!data ? (
              <Skeleton className="m-5 h-24" />
            ) : todo.length === 0 ? (
              <p className="flex items-center gap-2 px-5 pb-5 text-sm text-ink-2">
                <Icon name="check" className="text-good" />
                {t.nothingToDo}
              </p>
            ) : (
              <ul className="divide-y divide-line border-t border-line">
                {todo.map(({ text, to, detail }) => (
                  <li key={text}>
                    <A
                      to={to}
                      className="flex min-h-12 items-center justify-between gap-4 px-5 py-2 text-sm hover:bg-sunken focus-visible:-outline-offset-2"
                    >
                      <span className="min-w-0">
                        <span className="block">{text}</span>
                        {detail && <span className="block text-xs wrap-anywhere text-ink-3">{detail}</span>}
                      </span>
                      <Icon name="chevronRight" className="shrink-0 text-ink-3" />
                    </A>
                  </li>
                ))}
              </ul>
            )}
          </Card>
          <Card title={t.moved}>
            {data ? (
              <div className="flex flex-col gap-4">
                <Stat label={t.moneyIn} value={<Amount value={data.in_usdt} unit="USDT" />} />
                <Stat
                  label={t.moneyOut}
                  value={<Amount value={data.out_usdt} unit="USDT" />}
                  note={
                    <>
                      {t.since} <Time seconds={data.since} />
                    </>
                  }
                />
              </div>
            ) : (
              <Skeleton className="h-32 w-full" />
            )}
          </Card>
          <RowsCard
            title={t.liquidity}
            className="lg:col-span-3"
            columns={columns}
            read={liquidity}
            rows={each => each.list}
            rowKey={row => `${row.chain_id} ${row.token}`}
            empty={t.noWallets}
          />
        </div>
      )}
    </>
  )
}
