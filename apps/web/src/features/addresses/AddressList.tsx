import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useListSearch } from '../../lib/listSearch.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Table } from '../../ui/data/Table.tsx'
import { Amount, CopyText, Time } from '../../ui/data/Values.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { ChainLogo } from '../../ui/logos/Logo.tsx'

/** The fixed addresses that there are, with what came to each. */
export function AddressList({ onShow }: { onShow(currency_id: string): void }) {
  const t = useMessages('ledger')
  const { current, pageSize, setPage } = useListSearch([])
  const list = useQuery({
    ...apiQuery('GET /api/v1/account/recharge', { query: { current, pageSize } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t.yourAddresses} flush>
      <Table
        caption={t.yourAddresses}
        rows={list.data?.list}
        rowKey={row => row.id}
        skeletonRows={3}
        error={list.error}
        onRetry={() => void list.refetch()}
        stale={list.isPlaceholderData}
        empty={<Empty icon="pin" title={t.fixedEmpty} text={t.fixedEmptyText} />}
        paging={{ current, pageSize, total: list.data?.total, onChange: setPage }}
        columns={[
          {
            key: 'chain',
            title: t.chain,
            sticky: 'start',
            cell: row => (
              <span className="inline-flex items-center gap-2 align-middle font-medium whitespace-nowrap">
                <ChainLogo chain={row.chain} />
                {row.chain}
                <span className="font-normal text-ink-3">{row.net_work}</span>
              </span>
            ),
          },
          { key: 'address', title: t.address, cell: row => <CopyText value={row.address} label={t.address} /> },
          { key: 'tokens', title: t.acceptedTokens, cell: row => row.tokens.join(', ') },
          {
            key: 'received',
            title: t.received,
            align: 'end',
            cell: row => <Amount column value={row.received_usdt} unit="USDT" />,
          },
          { key: 'created', title: t.created, cell: row => <Time seconds={row.created_time} /> },
          {
            key: 'qr',
            title: <span className="sr-only">{t.actions}</span>,
            sticky: 'end',
            align: 'end',
            cell: row => (
              <Button size="small" aria-label={t.showQr(row.chain)} onClick={() => onShow(row.currency_id)}>
                {t.qr}
              </Button>
            ),
          },
        ]}
      />
    </Card>
  )
}
