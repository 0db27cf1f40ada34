import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Data } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListTable } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import { useList } from '../../kit/list/useList.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { linkClass } from '../../ui/classes.ts'
import { Button, IconButton } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Menu } from '../../ui/controls/Menu.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import { Card } from '../../ui/data/Card.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, CopyText, Time } from '../../ui/data/Values.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { ChainLogo } from '../../ui/logos/Logo.tsx'

export type FixedAddress = Data<'GET /api/v1/account/fixed-address'>['list'][number]

interface Props {
  onShow(address: FixedAddress): void
  onLabel(address: FixedAddress): void
}

/** Fixed addresses of the merchant, and those that applications gave their customers, with the amount received. */
export function AddressList({ onShow, onLabel }: Props) {
  const t = useMessages('ledger')
  const common = useMessages('common')
  const { data: currencies } = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const { data: applications } = useQuery(apiQuery('GET /api/v1/user/application-list', {}))
  const list = useList(useListSearch(useSearch({ from: '/property/fixedAddr' })), (filters, page) =>
    apiQuery('GET /api/v1/account/fixed-address', { query: listQuery(filters, page) }),
  )
  const { values, set } = list.filter
  return (
    <Card title={t.yourAddresses} flush>
      <Filters label={common.search} filter={list.filter}>
        <SelectFilter
          label={t.madeBy}
          all={t.madeByAll}
          className="w-full sm:w-48"
          value={values.appid}
          options={[
            { value: 'own', label: t.own },
            ...(applications?.list ?? []).map(({ appid, name }) => ({ value: appid, label: name })),
          ]}
          onChange={appid => set({ appid })}
        />
        <SelectFilter
          label={t.chain}
          all={common.all}
          className="w-full sm:w-44"
          value={values.currency_id}
          options={(currencies?.list ?? []).map(({ id, chain }) => ({ value: id, label: chain }))}
          onChange={currency_id => set({ currency_id })}
        />
        <NumberFilter
          label={t.referenceOrAddress}
          className="w-full grow sm:max-w-md"
          value={values.text}
          fits={text => text.length <= 128}
          error={t.referenceBad}
          onCommit={text => set({ text })}
        />
      </Filters>
      <ListTable
        caption={t.yourAddresses}
        list={list}
        rowKey={row => row.id}
        lines={2}
        skeletonRows={3}
        empty={<Empty icon="pin" title={t.fixedEmpty} text={t.fixedEmptyText} />}
        columns={columns(t, { onShow, onLabel })}
      />
    </Card>
  )
}

const columns = (t: Messages<'ledger'>, { onShow, onLabel }: Props): Column<FixedAddress>[] => [
  {
    key: 'owner',
    title: t.labelOrReference,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={
          <span className="block max-w-48 truncate font-medium" title={row.label || row.reference}>
            {row.label || row.reference || t.own}
          </span>
        }
        second={
          <span className="block max-w-48 truncate">
            {row.appid === '' ? t.own : [row.apply_name, row.label && row.reference].filter(Boolean).join(' · ')}
          </span>
        }
      />
    ),
  },
  {
    key: 'chain',
    phone: 'note',
    title: t.chain,
    cell: row => (
      <span className="inline-flex items-center gap-2 align-middle whitespace-nowrap">
        <ChainLogo chain={row.chain} />
        {row.chain}
        <span className="text-ink-3">{row.net_work}</span>
      </span>
    ),
  },
  {
    key: 'address',
    title: t.address,
    className: 'min-w-64',
    cell: row => <CopyText look="groups" value={row.address} label={t.address} />,
  },
  {
    key: 'received',
    phone: 'value',
    title: t.received,
    align: 'end',
    amount: row => ({ value: row.received_usdt }),
    cell: row => (
      <Link to="/property/recharge" search={{ text: row.address }} look="none" className={linkClass} title={t.whatCame}>
        <Amount column value={row.received_usdt} unit="USDT" />
      </Link>
    ),
  },
  { key: 'created', title: t.created, cell: row => <Time seconds={row.created_time} /> },
  {
    key: 'actions',
    title: <span className="sr-only">{t.actions}</span>,
    sticky: 'end',
    align: 'end',
    cell: row => (
      <span className="inline-flex items-center gap-1">
        <Button size="small" aria-label={t.showQr(row.chain)} onClick={() => onShow(row)}>
          {t.qr}
        </Button>
        <Menu
          label={t.actionsOf(row.address)}
          items={[{ key: 'label', label: t.editLabel, onSelect: () => onLabel(row) }]}
          trigger={props => <IconButton icon="more" label={t.actionsOf(row.address)} {...props} />}
        />
      </span>
    ),
  },
]
