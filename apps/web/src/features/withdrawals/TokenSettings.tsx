import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Table } from '../../ui/data/Table.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { TokenName } from '../../ui/logos/Logo.tsx'
import type { TokenSetting } from './TokenSettingModal.tsx'

const TokenSettingModal = lazyComponent(() => import('./TokenSettingModal.tsx'))

/** Gas limit, minimum imputation and automatic aggregation of each token. */
export function TokenSettings() {
  const t = useMessages('withdrawals')
  const [edited, setEdited] = useState<TokenSetting | null>(null)
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/account/withdraw-setting', {}))
  const orDefault = (value: string, unit: string, text: string) =>
    value === '' ? <span className="text-ink-3">{text}</span> : <Amount exact value={value} unit={unit} />
  return (
    <Card title={t.byToken} flush>
      <p className="px-5 pb-4 text-[13px] text-ink-3">{t.byTokenText}</p>
      <Table
        caption={t.byToken}
        rows={data?.list}
        rowKey={row => row.token_id}
        error={error}
        onRetry={() => void refetch()}
        skeletonRows={4}
        columns={[
          {
            key: 'token',
            title: t.asset,
            sticky: 'start',
            cell: row => <TokenName token={row.token} chain={row.chain} />,
          },
          {
            key: 'gas',
            title: t.gasLimit,
            phone: 'text',
            align: 'end',
            cell: row => orDefault(row.gas_limit, row.token, t.noLimit),
          },
          {
            key: 'minimum',
            title: t.minimum,
            align: 'end',
            cell: row => orDefault(row.minimum, row.token, t.defaultMinimum),
          },
          {
            key: 'automatic',
            title: t.automatic,
            phone: 'value',
            cell: row => <Badge kind={row.automatic ? 'success' : 'closed'}>{row.automatic ? t.on : t.off}</Badge>,
          },
          {
            key: 'actions',
            title: <span className="sr-only">{t.edit}</span>,
            sticky: 'end',
            align: 'end',
            cell: row => (
              <Button
                call="PUT /api/v1/account/withdraw-setting"
                size="small"
                look="ghost"
                aria-label={t.editNamed(row.token, row.chain)}
                onClick={() => setEdited(row)}
              >
                {t.edit}
              </Button>
            ),
          },
        ]}
      />
      {edited && <TokenSettingModal setting={edited} onClose={() => setEdited(null)} />}
    </Card>
  )
}
