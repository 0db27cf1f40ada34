import type { Data } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Menu } from '../../ui/controls/Menu.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { DayAndClock, TwoLines } from '../../ui/data/TwoLines.tsx'
import { CopyText, None, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { ChainLogo } from '../../ui/logos/Logo.tsx'

export type Entry = Data<'GET /api/v1/address'>['list'][number]

interface Actions {
  edit(entry: Entry): void
  remove(entry: Entry): void
}

export const entryColumns = (
  t: Messages<'address-book'>,
  common: Messages<'common'>,
  { edit, remove }: Actions,
): Column<Entry>[] => [
  {
    key: 'label',
    title: t.label,
    sticky: 'start',
    cell: row => (
      <span className="block max-w-52 truncate font-medium" title={row.label}>
        {row.label}
      </span>
    ),
  },
  {
    key: 'network',
    phone: 'text',
    title: t.network,
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
    cell: row => {
      const address = <CopyText look="groups" value={row.address} label={t.address} />
      return row.memo === '' ? address : <TwoLines first={address} second={t.memoIs(row.memo)} />
    },
  },
  {
    key: 'beneficiary',
    title: t.beneficiary,
    cell: ({ beneficiary, wallet, institution }) =>
      beneficiary === '' && wallet === '' ? (
        <None />
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
  { key: 'added', phone: 'note', title: t.added, cell: row => <DayAndClock seconds={row.created_time} /> },
  {
    key: 'state',
    phone: 'value',
    title: t.state,
    cell: row =>
      row.known ? (
        <Badge kind="success">{t.known}</Badge>
      ) : (
        <TwoLines first={<Badge kind="processing">{t.cooling}</Badge>} second={<Time seconds={row.known_time} />} />
      ),
  },
  {
    key: 'actions',
    title: <span className="sr-only">{common.actions}</span>,
    sticky: 'end',
    align: 'end',
    cell: row => (
      <Menu
        label={t.actionsOf(row.label)}
        items={[
          { key: 'edit', label: t.edit, onSelect: () => edit(row) },
          { key: 'remove', label: t.remove, onSelect: () => remove(row) },
        ]}
        trigger={props => <IconButton icon="more" label={t.actionsOf(row.label)} {...props} />}
      />
    ),
  },
]
