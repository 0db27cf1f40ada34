import type { RouteData } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'
import { actionsColumn, chainColumn, TruncatedText, timeColumn } from '../../kit/list/columns.tsx'
import { Button, IconButton } from '../../ui/controls/Button.tsx'
import { May } from '../../ui/controls/May.tsx'
import { Menu } from '../../ui/controls/Menu.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { NoValue, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'

export type AddressBookRow = RouteData<'GET /api/v1/address'>['list'][number]

interface Actions {
  edit(entry: AddressBookRow): void
  remove(entry: AddressBookRow): void
}

export const addressBookColumns = (
  t: Messages<'address-book'>,
  { edit, remove }: Actions,
): Column<AddressBookRow>[] => [
  {
    title: t.label,
    sticky: 'start',
    cell: row => (
      <TruncatedText width="max-w-52" className="font-medium">
        {row.label}
      </TruncatedText>
    ),
  },
  chainColumn(t.network, { phone: 'text' }),
  {
    title: t.address,
    className: 'min-w-64',
    cell: row => {
      const address = <CopyText look="groups" value={row.address} label={t.address} />
      return row.memo === '' ? address : <TwoLines first={address} second={t.memoIs(row.memo)} />
    },
  },
  {
    title: t.beneficiary,
    cell: ({ beneficiary, wallet, institution }) =>
      beneficiary === '' && wallet === '' ? (
        <NoValue />
      ) : (
        <TwoLines
          first={
            <span className="block max-w-52 truncate" title={beneficiary}>
              {beneficiary || '–'}
            </span>
          }
          second={wallet === '' ? null : [t.wallets[wallet], institution].filter(Boolean).join(' · ')}
        />
      ),
  },
  timeColumn(t.added, row => row.created_time),
  {
    phone: 'value',
    title: t.state,
    cell: row =>
      row.known ? (
        <Badge kind="success">{t.known}</Badge>
      ) : (
        <TwoLines first={<Badge kind="processing">{t.cooling}</Badge>} second={<Time seconds={row.known_time} />} />
      ),
  },
  actionsColumn(row => (
    <May call="PUT /api/v1/address">
      <span className="max-md:hidden">
        <Menu
          label={t.actionsOf(row.label)}
          items={[
            { key: 'edit', label: t.edit, onSelect: () => edit(row) },
            { key: 'remove', label: t.remove, onSelect: () => remove(row) },
          ]}
          trigger={props => <IconButton icon="more" label={t.actionsOf(row.label)} {...props} />}
        />
      </span>
      {/* A phone's page of an entry has room for both. */}
      <span className="flex gap-2 md:hidden">
        <Button onClick={() => edit(row)}>{t.edit}</Button>
        <Button onClick={() => remove(row)}>{t.remove}</Button>
      </span>
    </May>
  )),
]
