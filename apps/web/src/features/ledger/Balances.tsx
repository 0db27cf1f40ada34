import { useState } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { formatCount, formatShare } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Checkbox } from '../../ui/controls/Choice.tsx'
import { Link, useHasPage } from '../../ui/controls/Link.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { type Column, Table } from '../../ui/data/Table.tsx'
import { Amount, NoValue } from '../../ui/data/Values.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ChainLogo, TokenLogo } from '../../ui/logos/Logo.tsx'
import { type Balance, computeBalanceShare, filterBalances } from './balances.ts'
import type { AssetsProps } from './TotalAssetValue.tsx'

/** Balances by token and chain. */
export function Balances({ data, error, onRetry }: AssetsProps) {
  const t = useMessages('ledger')
  const inLanguage = useCell(language)
  const canWithdraw = useHasPage('/withdraw')
  const [text, setText] = useState('')
  const [hideZero, setHideZero] = useState(false)
  const rows = data && filterBalances(data.list, text, hideZero)
  const showAll = () => {
    setText('')
    setHideZero(false)
  }
  return (
    <Card
      title={t.balances}
      flush
      actions={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {rows && (
            <span className="num text-xs text-ink-3" aria-live="polite">
              {t.shownOf(
                formatCount(rows.length, inLanguage),
                formatCount(data.list.length, inLanguage),
                data.list.length,
              )}
            </span>
          )}
          <Checkbox label={t.hideZero} checked={hideZero} onChange={setHideZero} />
          <span className="relative flex items-center">
            <Icon name="search" size={16} className="pointer-events-none absolute left-3 text-ink-3" />
            <TextInput
              type="search"
              aria-label={t.searchToken}
              placeholder={t.searchToken}
              className="w-56 pl-9"
              value={text}
              onChange={setText}
            />
          </span>
        </div>
      }
    >
      <Table
        caption={t.balances}
        columns={[
          ...columnsOf(t, data?.total_value ?? '0', ratio => formatShare(ratio, inLanguage)),
          ...(canWithdraw ? [withdrawColumn(t)] : []),
        ]}
        rows={rows}
        rowKey={row => row.id}
        error={error}
        onRetry={onRetry}
        empty={data?.list.length === 0 ? <NoBalances /> : <NoMatch onShowAll={showAll} />}
      />
    </Card>
  )
}

function NoBalances() {
  const t = useMessages('ledger')
  return (
    <Empty
      icon="wallet"
      title={t.emptyTitle}
      text={t.emptyText}
      action={
        <Link to="/property/recharge" look="secondary">
          {t.emptyAction}
        </Link>
      }
    />
  )
}

function NoMatch({ onShowAll }: { onShowAll(): void }) {
  const t = useMessages('ledger')
  return (
    <Empty
      icon="search"
      title={t.noMatch}
      text={t.noMatchText}
      action={<Button onClick={onShowAll}>{t.showAll}</Button>}
    />
  )
}

const columnsOf = (t: Messages<'ledger'>, total: string, formatRatio: (ratio: number) => string): Column<Balance>[] => [
  {
    key: 'token',
    title: t.token,
    sticky: 'start',
    cell: row => (
      <span className="inline-flex items-center gap-2.5 align-middle font-medium whitespace-nowrap">
        <TokenLogo token={row.token} size={24} />
        {row.token}
      </span>
    ),
  },
  {
    key: 'chain',
    title: t.chain,
    cell: row => (
      <span className="inline-flex items-center gap-2 align-middle whitespace-nowrap text-ink-2">
        <ChainLogo chain={row.chain} size={16} />
        {row.chain}
      </span>
    ),
  },
  {
    key: 'balance',
    title: t.available,
    align: 'end',
    amount: row => ({ value: row.balance }),
    cell: row => <Amount column value={row.balance} className="font-medium" />,
  },
  {
    key: 'held',
    title: <span title={t.heldNote}>{t.held}</span>,
    align: 'end',
    amount: row => ({ value: Number(row.held) === 0 ? '' : row.held }),
    cell: row => (Number(row.held) === 0 ? <NoValue /> : <Amount column value={row.held} />),
  },
  {
    key: 'value',
    title: `${t.value} (USDT)`,
    align: 'end',
    amount: row => ({ value: row.usdt_balance }),
    cell: row => <Amount column value={row.usdt_balance} />,
  },
  {
    key: 'share',
    title: t.share,
    align: 'end',
    cell: row => <span className="text-ink-2">{formatRatio(computeBalanceShare(row.usdt_balance, total))}</span>,
  },
]

const withdrawColumn = (t: Messages<'ledger'>): Column<Balance> => ({
  key: 'actions',
  title: <span className="sr-only">{t.actions}</span>,
  sticky: 'end',
  align: 'end',
  cell: row => (
    <Link
      to="/withdraw"
      search={{ id: row.id }}
      aria-label={t.withdrawNamed(row.token, row.chain)}
      className="text-[13px]"
    >
      {t.withdraw}
    </Link>
  ),
})
