import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { apiQuery } from '../../api/query.ts'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useExport } from '../../kit/export/useExport.ts'
import { amountColumn, defineListColumns, MaskedNumber, TransactionHashCell } from '../../kit/list/columns.tsx'
import { DayRangeFilter } from '../../kit/list/Filters.tsx'
import { ListTable } from '../../kit/list/ListPage.tsx'
import { buildListQuery } from '../../kit/list/query.ts'
import type { ListDeclaration } from '../../kit/list/search.ts'
import { useList } from '../../kit/list/useList.ts'
import { useLocalSearch } from '../../kit/list/useListSearch.ts'
import { useCell } from '../../lib/useCell.ts'
import { displayTimeZone } from '../../lib/zone.ts'
import { lists } from '../../lists.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { TokenLogo, TokenName } from '../../ui/logos/Logo.tsx'

const ExportStatus = lazy(() => import('../../kit/export/ExportStatus.tsx'))

/** The merchant's gas expenses, by network and token. */
export default function ExpenseHistory({ onClose }: { onClose(): void }) {
  const t = useMessages('notifications')
  const shell = useMessages('shell')
  const common = useMessages('common')
  const zone = useCell(displayTimeZone)
  const list = useList(lists.expenses, useLocalSearch())
  const { data: currencies } = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const { values, set } = list.filter
  const saved = useExport(
    'GET /api/v1/account/expend/export',
    buildListQuery(lists.expenses as unknown as ListDeclaration, values),
    'GasExpenditure',
  )
  const { network_id = '', token_id = '' } = values
  const tokens = currencies?.list.find(each => each.id === network_id)?.tokens ?? []
  const nothing = <Empty icon="bill" title={t.noExpenses} />
  return (
    <Modal open flush size="large" title={t.expenseHistory} onClose={onClose}>
      <div className="flex flex-wrap gap-2 px-5 pb-4 max-md:px-4 max-md:*:grow">
        <Select
          aria-label={t.network}
          className="w-44"
          value={network_id}
          placeholder={common.pair(t.network, common.all)}
          options={(currencies?.list ?? []).map(each => ({ value: each.id, label: each.net_work }))}
          onChange={network => set({ network_id: network || undefined, token_id: undefined })}
        />
        <Select
          aria-label={t.token}
          className="w-40"
          value={token_id}
          disabled={network_id === ''}
          placeholder={common.pair(t.token, common.all)}
          options={tokens.map(each => ({ value: each.id, label: each.token }))}
          onChange={token => set({ token_id: token || undefined })}
        />
        <DayRangeFilter {...list.filter} />
        {zone && <span className="self-center text-xs text-ink-3">{common.zone(zone)}</span>}
        <Button
          icon="download"
          className="ml-auto"
          busy={saved.state.step === 'running'}
          disabled={list.total === 0}
          onClick={() => saved.start()}
        >
          {common.export}
        </Button>
      </div>
      {saved.state.step !== 'idle' && (
        <Suspense fallback={null}>
          <ExportStatus {...saved} counted={shell.inAll} />
        </Suspense>
      )}
      <div className="max-md:px-4">
        <ListTable
          caption={t.expenseHistory}
          list={list}
          columns={expenseColumns(t)}
          empty={nothing}
          noMatch={nothing}
        />
      </div>
    </Modal>
  )
}

const expenseColumns = (t: Messages<'notifications'>) =>
  defineListColumns(lists.expenses, [
    { title: t.time, cell: row => <Time seconds={row.created_time} /> },
    {
      phone: 'lead',
      picture: row => <TokenLogo token={row.currency.token} size={36} />,
      phoneCell: row => row.currency.chain,
      title: t.currency,
      cell: row => <TokenName token={row.currency.token} chain={row.currency.chain} />,
    },
    {
      phone: 'text',
      phoneCell: row => <MaskedNumber value={row.txid} />,
      title: t.txid,
      cell: row => <TransactionHashCell txid={row.txid} url={row.browser_url} label={t.txid} />,
    },
    amountColumn(t.amount, row => ({ value: row.amount, flow: 'out' }), {
      phone: 'value',
      phoneUnit: row => row.currency.token,
    }),
  ])
