import { useSearch } from '@tanstack/react-router'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ListTable } from '../../kit/list/ListPage.tsx'
import { useList, useListSearch } from '../../kit/list/useList.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Amount, CopyText, Time } from '../../ui/data/Values.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { ChainLogo } from '../../ui/logos/Logo.tsx'

/** The merchant's fixed addresses with the amount received. */
export function AddressList({ onShow }: { onShow(currency_id: string): void }) {
  const t = useMessages('ledger')
  const list = useList(useListSearch(useSearch({ from: '/property/fixedAddr' })), (_filters, page) =>
    apiQuery('GET /api/v1/account/recharge', { query: page }),
  )
  return (
    <Card title={t.yourAddresses} flush>
      <ListTable
        caption={t.yourAddresses}
        list={list}
        rowKey={row => row.id}
        skeletonRows={3}
        empty={<Empty icon="pin" title={t.fixedEmpty} text={t.fixedEmptyText} />}
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
          {
            key: 'address',
            title: t.address,
            className: 'min-w-64',
            cell: row => <CopyText look="groups" value={row.address} label={t.address} />,
          },
          { key: 'tokens', title: t.acceptedTokens, cell: row => row.tokens.join(', ') },
          {
            key: 'received',
            title: t.received,
            align: 'end',
            amount: row => ({ value: row.received_usdt }),
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
