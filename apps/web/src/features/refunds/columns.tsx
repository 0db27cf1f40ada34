import type { RouteKey } from '../../api/types.ts'
import type { Messages } from '../../i18n/areas.ts'
import { actionsColumn, MaskedNumber } from '../../kit/list/columns.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'

/** The order that is refunded, which leads to its payment. */
export const orderColumn = <R extends Record<'trade_no' | 'out_trade_no' | 'title', string>>(
  t: Messages<'refunds'>,
): Column<R> => ({
  title: t.order,
  sticky: 'start',
  cell: row => (
    <TwoLines
      first={
        <Link to="/record" search={{ trade_no: row.trade_no }} title={row.trade_no}>
          {row.title || row.out_trade_no}
        </Link>
      }
      second={<MaskedNumber value={row.trade_no} />}
    />
  ),
})

interface Cancel<R> {
  call: RouteKey
  can(row: R): boolean
  nameOf(row: R): string
  onCancel(row: R): void
  busy: boolean
}

/** Cancels what can still be cancelled. */
export const cancelColumn = <R,>(t: Messages<'refunds'>, { call, can, nameOf, onCancel, busy }: Cancel<R>): Column<R> =>
  actionsColumn(
    row =>
      can(row) && (
        <Button call={call} size="small" busy={busy} aria-label={nameOf(row)} onClick={() => onCancel(row)}>
          {t.cancel}
        </Button>
      ),
  )
