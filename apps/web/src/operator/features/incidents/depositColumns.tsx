import type { Messages } from '../../../i18n/areas.ts'
import type { Column } from '../../../ui/data/Table.tsx'
import { TransactionHash } from '../../../ui/data/TransactionHash.tsx'
import { MerchantLink } from '../../kit/links.tsx'
import { TwoLineCell } from '../../kit/Rows.tsx'

/** Whose deposit it is, and for which order. */
export const merchantColumn = <R extends Record<'mchid' | 'merchant' | 'trade_no' | 'out_trade_no' | 'title', string>>(
  t: Messages<'incidents'>,
  common: Messages<'operator'>,
): Column<R> => ({
  title: common.merchant,
  cell: row => (
    <TwoLineCell
      first={<MerchantLink id={row.mchid}>{row.merchant || row.mchid}</MerchantLink>}
      second={row.trade_no && `${t.order} ${row.title || row.out_trade_no || row.trade_no}`}
    />
  ),
})

export const transactionColumn = <R extends Record<'txid' | 'explorer', string>>({
  transaction,
}: Messages<'operator'>): Column<R> => ({
  title: transaction,
  cell: row => (
    <span className="block min-w-52">
      <TransactionHash txid={row.txid} url={row.explorer} label={transaction} />
    </span>
  ),
})
