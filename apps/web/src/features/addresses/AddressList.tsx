import type { RouteData } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useApplicationOptions, useChainOptions } from '../../kit/list/choices.ts'
import { actionsColumn, chainColumn, copyColumn } from '../../kit/list/columns.tsx'
import { ListCard } from '../../kit/list/ListCard.tsx'
import { useList } from '../../kit/list/useList.ts'
import { lists } from '../../lists.ts'
import { linkClass } from '../../ui/classes.ts'
import { Button, IconButton } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { May } from '../../ui/controls/May.tsx'
import { Menu } from '../../ui/controls/Menu.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Empty } from '../../ui/feedback/States.tsx'

export type FixedAddress = RouteData<'GET /api/v1/account/fixed-address'>['list'][number]

interface Props {
  onShow(address: FixedAddress): void
  onLabel(address: FixedAddress): void
}

/** Fixed addresses of the merchant, and those that applications gave their customers, with the amount received. */
export function AddressList({ onShow, onLabel }: Props) {
  const t = useMessages('ledger')
  const common = useMessages('common')
  return (
    <ListCard
      title={t.yourAddresses}
      list={useList(lists.addresses)}
      columns={columns(t, { onShow, onLabel })}
      skeletonRows={3}
      filters={[
        { by: 'appid', label: t.madeBy, all: t.madeByAll, useOptions: useOwners, width: 'w-full sm:w-48' },
        { by: 'currency_id', label: t.chain, all: common.all, useOptions: useChainOptions, width: 'w-full sm:w-44' },
        { by: 'text', label: t.referenceOrAddress, error: t.referenceBad, width: 'w-full grow sm:max-w-md' },
      ]}
      empty={<Empty icon="pin" title={t.fixedEmpty} text={t.fixedEmptyText} />}
    />
  )
}

/** Who can have made an address: the merchant, or an application. */
function useOwners() {
  const t = useMessages('ledger')
  return [{ value: 'own', label: t.own }, ...useApplicationOptions()]
}

const columns = (t: Messages<'ledger'>, { onShow, onLabel }: Props): Column<FixedAddress>[] => [
  {
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
  chainColumn(t.chain, { phone: 'note' }),
  copyColumn(t.address, row => row.address, { look: 'groups', className: 'min-w-64' }),
  {
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
  { title: t.created, cell: row => <Time seconds={row.created_time} /> },
  actionsColumn(row => (
    <span className="inline-flex items-center gap-1">
      <Button size="small" aria-label={t.showQr(row.chain)} onClick={() => onShow(row)}>
        {t.qr}
      </Button>
      <May call="PUT /api/v1/account/fixed-address">
        <Menu
          label={t.actionsOf(row.address)}
          items={[{ key: 'label', label: t.editLabel, onSelect: () => onLabel(row) }]}
          trigger={props => <IconButton icon="more" label={t.actionsOf(row.address)} {...props} />}
        />
      </May>
    </span>
  )),
]
