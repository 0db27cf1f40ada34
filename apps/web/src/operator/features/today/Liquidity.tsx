import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Messages } from '../../../i18n/areas.ts'
import { language } from '../../../i18n/language.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { useCell } from '../../../lib/useCell.ts'
import type { Column } from '../../../ui/data/Table.tsx'
import { Amount } from '../../../ui/data/Values.tsx'
import { Badge, type BadgeKind } from '../../../ui/feedback/Badge.tsx'
import { useRead } from '../../kit/api.ts'
import { Address, RowsCard, TwoLineCell } from '../../kit/Rows.tsx'

type Row = OperatorData<'GET /api/operator/v1/liquidity'>['list'][number]

/** What each wallet holds beside what is reserved and owed. */
export function Liquidity() {
  const t = useMessages('operator')
  const liquidity = useRead('GET /api/operator/v1/liquidity', {})
  const { data } = liquidity
  return (
    <RowsCard
      title={t.liquidity}
      className="lg:col-span-3"
      columns={columnsOf(t)}
      read={liquidity}
      by={['chain_id', 'token']}
      empty={t.noWallets}
    >
      {data && data.list.length > 0 && (
        <p className="-mt-2 px-5 pb-3 text-[13px] text-ink-2">
          {t.holdingsInAll} <Amount value={data.held_usdt} unit="USDT" /> · {t.owedInAll}{' '}
          <Amount value={data.owed_usdt} unit="USDT" />
        </p>
      )}
    </RowsCard>
  )
}

const columnsOf = (t: Messages<'operator'>): Column<Row>[] => [
  {
    title: t.token,
    sticky: 'start',
    className: 'whitespace-nowrap',
    cell: row => <TwoLineCell first={row.token} second={row.chain} />,
  },
  { title: t.state, cell: row => <State row={row} /> },
  {
    title: t.onWallet,
    align: 'end',
    cell: row => (row.balance === '' ? t.noAnswer : <Amount value={row.balance} />),
  },
  { title: t.reserved, align: 'end', cell: row => <Amount value={row.reserved} /> },
  { title: t.unswept, align: 'end', cell: row => <Amount value={row.unswept} /> },
  { title: t.blockedByIssuer, align: 'end', cell: row => <Amount value={row.blocked} /> },
  { title: t.treasury, align: 'end', cell: row => <Amount value={row.treasury} /> },
  { title: t.owed, align: 'end', cell: row => <Amount value={row.owed} /> },
  { title: t.holdings, align: 'end', cell: row => <Amount value={row.value_usdt} /> },
  { title: t.wallet, cell: row => <Address value={row.address} /> },
]

const kinds: Record<Row['state'], BadgeKind> = {
  covered: 'success',
  short: 'processing',
  uncovered: 'error',
  missing: 'error',
  unknown: 'closed',
}

/** Whether the wallet covers what is reserved, and how much the treasury has to send it. */
function State({ row: { state, token, from_treasury } }: { row: Row }) {
  const t = useMessages('operator')
  const inLanguage = useCell(language)
  const badge = <Badge kind={kinds[state]}>{t.liquidityStates[state]}</Badge>
  if (Number(from_treasury) === 0) return badge
  return (
    <TwoLineCell first={badge} second={t.fromTreasury(formatExactAmount(from_treasury, inLanguage, token), token)} />
  )
}
