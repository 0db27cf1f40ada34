import { merchantStatus } from '@coffer/contract/codes.ts'
import { useSearch } from '@tanstack/react-router'
import { useMessages } from '../../../i18n/messages.ts'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { Empty } from '../../../ui/feedback/States.tsx'
import { useRead } from '../../kit/api.ts'
import { FilteredTable, useFilters } from '../../kit/FilteredTable.tsx'
import { MerchantLink } from '../../kit/links.tsx'
import { MerchantBadge, Two } from '../../kit/Rows.tsx'
import type { ConsoleRouter } from '../../routes.ts'

export default function Merchants() {
  const t = useMessages('operator')
  const filters = useFilters(useSearch<ConsoleRouter, '/merchants'>({ from: '/merchants' }))
  const read = useRead('GET /api/operator/v1/merchants', { query: { ...filters.paging, ...filters.values } })
  return (
    <>
      <PageHeader title={t.menu.merchants} text={t.merchantsText} />
      <FilteredTable
        caption={t.menu.merchants}
        search={t.findMerchant}
        filters={filters}
        choices={[
          {
            name: 'status',
            label: t.state,
            all: t.anyState,
            options: Object.entries(merchantStatus).map(([name, code]) => ({
              value: String(code),
              label: t.merchantStates[name as keyof typeof merchantStatus],
            })),
          },
        ]}
        columns={[
          {
            title: t.merchant,
            sticky: 'start',
            cell: row => (
              <Two
                first={<MerchantLink id={row.mchid}>{row.name || row.mchid}</MerchantLink>}
                second={row.name && row.mchid}
              />
            ),
          },
          { title: t.email, cell: row => <span className="block min-w-40 break-all">{row.email}</span> },
          { title: t.state, cell: row => <MerchantBadge status={row.status} frozen={row.frozen} /> },
          {
            title: t.risk,
            className: 'whitespace-nowrap',
            cell: row => (row.risk_level ? t.risks[row.risk_level] : t.notJudged),
          },
          { title: t.registered, cell: row => <Time seconds={row.created_time} /> },
        ]}
        read={read}
        rowKey={row => row.mchid}
        empty={<Empty icon="user" title={t.noMerchants} />}
      />
    </>
  )
}
