import { useMemo } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useTokenOptions } from '../../kit/list/choices.ts'
import {
  amountColumn,
  copyColumn,
  defineListColumns,
  TruncatedText,
  timeColumn,
  tokenColumn,
} from '../../kit/list/columns.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { lists } from '../../lists.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Empty } from '../../ui/feedback/States.tsx'

const width = 'min-w-36 flex-1 sm:w-40 sm:flex-none'

const transferColumns = (t: Messages<'transfers'>) =>
  defineListColumns(lists.transfers, [
    {
      title: t.direction,
      sticky: 'start',
      cell: row => <span className="font-medium">{t.directions[row.direction]}</span>,
    },
    tokenColumn(t.token, { phone: 'text' }),
    amountColumn(t.amount, row => ({ value: row.amount, flow: row.direction }), {
      isMain: true,
      phone: 'value',
      phoneUnit: row => row.token,
    }),
    { title: t.merchant, cell: row => <TwoLines first={row.name} second={row.mchid} /> },
    { title: t.note, cell: row => <TruncatedText width="max-w-52">{row.note}</TruncatedText> },
    copyColumn(t.serialNumber, row => row.id),
    timeColumn(t.time, row => row.created_time, { sticky: 'end' }),
  ])

/** Internal transfers, sent and received. */
export default function TransferRecords() {
  const t = useMessages('transfers')
  return (
    <ListPage
      title={t.records}
      text={t.recordsText}
      list={useList(lists.transfers)}
      columns={useMemo(() => transferColumns(t), [t])}
      recycle
      filters={[
        { by: 'direction', label: t.direction, all: t.allDirections, names: t.directions, width },
        { by: 'token_id', label: t.token, all: t.allTokens, useOptions: useTokenOptions, width },
        { by: 'id', label: t.serialNumber, error: t.serialBad, width: 'w-full grow sm:max-w-md' },
        { by: 'days', label: t.time },
      ]}
      file={{ call: 'GET /api/v1/account/internal-transfer/export', name: 'TransferRecord' }}
      actions={
        <Link to="/transfer" look="secondary">
          {t.newTransfer}
        </Link>
      }
      empty={<Empty icon="swap" title={t.recordsEmpty} text={t.recordsEmptyText} />}
    />
  )
}
