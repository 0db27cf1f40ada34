import { merchantStatus } from '@coffer/contract/codes.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { toCodeNames } from '../../../kit/list/fields.ts'
import { useList } from '../../../kit/list/useList.ts'
import { Time } from '../../../ui/data/Values.tsx'
import { Empty } from '../../../ui/feedback/States.tsx'
import { MerchantLink } from '../../kit/links.tsx'
import { ConsoleList, MerchantBadge, TwoLineCell } from '../../kit/Rows.tsx'
import { lists } from '../../routes.ts'

export default function Merchants() {
  const t = useMessages('operator')
  return (
    <ConsoleList
      title={t.menu.merchants}
      text={t.merchantsText}
      list={useList(lists.merchants)}
      rowKey="mchid"
      filters={[
        { by: 'text', label: t.findMerchant, error: t.textTooLong, width: 'w-full sm:w-72' },
        { by: 'status', label: t.state, all: t.anyState, names: toCodeNames(merchantStatus, t.merchantStates) },
      ]}
      columns={[
        {
          title: t.merchant,
          sticky: 'start',
          cell: row => (
            <TwoLineCell
              first={<MerchantLink id={row.mchid}>{row.name || row.mchid}</MerchantLink>}
              second={row.name && row.mchid}
            />
          ),
        },
        { title: t.state, phone: 'value', cell: row => <MerchantBadge status={row.status} frozen={row.frozen} /> },
        { title: t.email, cell: row => <span className="block min-w-40 break-all">{row.email}</span> },
        {
          title: t.risk,
          className: 'whitespace-nowrap',
          cell: row => (row.risk_level ? t.risks[row.risk_level] : t.notJudged),
        },
        { title: t.registered, cell: row => <Time seconds={row.created_time} /> },
      ]}
      empty={<Empty icon="user" title={t.noMerchants} />}
    />
  )
}
