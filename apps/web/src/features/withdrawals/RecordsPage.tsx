import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { lazy, useMemo } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useChainOptions } from '../../kit/list/choices.ts'
import {
  amountColumn,
  CopyableValue,
  OpenRowButton,
  TransactionHashCell,
  timeColumn,
  tokenAmountColumn,
} from '../../kit/list/columns.tsx'
import { type ListField, toCodeNames } from '../../kit/list/fields.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { ListRow } from '../../kit/list/search.ts'
import { useList } from '../../kit/list/useList.ts'
import { lists } from '../../lists.ts'
import { Link } from '../../ui/controls/Link.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { WithdrawalBadge } from './WithdrawalBadge.tsx'

const WithdrawalDrawer = lazy(() => import('./WithdrawalDrawer.tsx'))

type Withdrawal = ListRow<'GET /api/v1/account/withdrawal-list'>

/** The filters of withdrawals. */
export function useWithdrawalFilterFields(): readonly ListField<typeof lists.withdrawals.rules>[] {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  return [
    {
      by: 'status',
      label: t.status,
      all: t.allStatuses,
      names: toCodeNames(withdrawalStatus, t.states),
      // On phones: in review, transferring, accomplished, rejected.
      quick: ['1', '3', '5', '2'],
    },
    { by: 'network_id', label: t.network, all: t.allNetworks, useOptions: useChainOptions },
    { by: 'number', label: t.number, error: common.tradeNumber, digits: true },
    { by: ['txid', 'address'], label: t.addressOrTxid, error: t.badAddressOrTxid },
    { by: 'days', label: t.time },
  ]
}

const withdrawalColumns = (t: Messages<'withdrawals'>, open: (id: string) => void): Column<Withdrawal>[] => [
  {
    title: t.number,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={<OpenRowButton value={row.id} label={t.number} open={t.openRow} onOpen={() => open(row.id)} />}
        second={
          <span className="block max-w-44 truncate" title={row.apply_name}>
            {row.appid === '' ? t.thisAccount : row.apply_name}
          </span>
        }
      />
    ),
  },
  tokenAmountColumn(
    t.amount,
    row => ({ value: row.amount, unit: row.token }),
    row => row.token !== 'USDT' && <Amount value={row.usdt_value} unit="USDT" />,
  ),
  amountColumn(t.receives, row => ({ value: row.receives, unit: row.token }), { isOnTop: true, isWide: true }),
  {
    title: `${t.network} / ${t.address}`,
    cell: row => <TwoLines first={row.chain} second={<CopyableValue value={row.address} label={t.address} />} />,
  },
  { title: t.txid, cell: row => <TransactionHashCell txid={row.txid} url={row.browser_url} label={t.txid} /> },
  timeColumn(t.time, row => row.created_time),
  { title: t.status, sticky: 'end', cell: row => <WithdrawalBadge status={row.status} /> },
]

/** All withdrawals. */
export default function RecordsPage() {
  const t = useMessages('withdrawals')
  const list = useList(lists.withdrawals)
  const { open } = list
  return (
    <ListPage
      title={t.records}
      text={t.recordsText}
      caption={t.caption}
      list={list}
      columns={useMemo(() => withdrawalColumns(t, open), [t, open])}
      recycle
      filters={useWithdrawalFilterFields()}
      filtersLabel={t.filters}
      file={{ call: 'GET /api/v1/account/withdrawal-list/export', name: 'WithdrawalRecord' }}
      actions={
        <Link to="/withdraw" look="primary">
          {t.newOne}
        </Link>
      }
      empty={<Empty icon="withdraw" title={t.emptyTitle} text={t.emptyText} />}
      drawer={id => <WithdrawalDrawer id={id} onClose={list.close} />}
    />
  )
}
