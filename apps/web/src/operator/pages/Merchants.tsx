import { merchantStatus } from '@coffer/contract/codes.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { type Column, Table } from '../../ui/data/Table.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { useRead } from '../api.ts'
import { A, goTo, usePlace } from '../place.tsx'
import { MerchantState, Two } from '../Rows.tsx'
import { useTexts } from '../texts.ts'
import { Merchant } from './Merchant.tsx'

type Row = OperatorData<'GET /api/operator/v1/merchants'>['list'][number]

export default function Merchants() {
  const { id } = usePlace()
  return id === undefined ? <List /> : <Merchant key={id} id={id} />
}

function List() {
  const t = useTexts()
  const common = useMessages('common')
  const { search } = usePlace()
  const [typed, setTyped] = useState(search.get('text') ?? '')
  const [status, text] = [search.get('status') ?? '', search.get('text') ?? '']
  const current = Number(search.get('current') ?? 1) || 1
  const pageSize = Number(search.get('pageSize') ?? 20) || 20
  const read = useRead('GET /api/operator/v1/merchants', {
    query: { current, pageSize, ...(text !== '' && { text }), ...(status !== '' && { status }) },
  })
  const show = (change: Record<string, string>) => {
    const next = new URLSearchParams({ status, text, ...change })
    for (const [name, value] of [...next]) if (value === '') next.delete(name)
    goTo(`/merchants?${next}`)
  }
  const columns: Column<Row>[] = [
    {
      key: 'merchant',
      title: t.merchant,
      sticky: 'start',
      cell: row => <Two first={<A to={`/merchants/${row.mchid}`}>{row.name || row.mchid}</A>} second={row.mchid} />,
    },
    { key: 'email', title: t.email, cell: row => <span className="block min-w-40 break-all">{row.email}</span> },
    { key: 'state', title: t.state, cell: row => <MerchantState status={row.status} frozen={row.frozen} /> },
    { key: 'risk', title: t.risk, cell: row => (row.risk_level ? t.risks[row.risk_level] : t.notJudged) },
    { key: 'since', title: t.registered, cell: row => <Time seconds={row.created_time} /> },
  ]
  return (
    <>
      <PageHeader title={t.menu.merchants} text={t.merchantsText} />
      <Card flush>
        <form
          className="flex flex-wrap gap-2 px-5 py-4"
          onSubmit={event => {
            event.preventDefault()
            show({ text: typed.trim() })
          }}
        >
          <TextInput
            aria-label={t.findMerchant}
            placeholder={t.findMerchant}
            className="max-w-72"
            maxLength={100}
            value={typed}
            onChange={setTyped}
          />
          <Select
            aria-label={t.state}
            className="w-48"
            value={status}
            placeholder={t.anyState}
            options={Object.entries(merchantStatus).map(([name, code]) => ({
              value: String(code),
              label: t.merchantStates[name as keyof typeof merchantStatus],
            }))}
            onChange={next => show({ status: next, text: typed.trim() })}
          />
          <Button type="submit" icon="search">
            {common.search}
          </Button>
        </form>
        <Table
          caption={t.menu.merchants}
          columns={columns}
          rows={read.data?.list}
          rowKey={row => row.mchid}
          lines={2}
          error={read.error}
          onRetry={() => void read.refetch()}
          paging={{
            current,
            pageSize,
            total: read.data?.total,
            onChange: next => show({ current: String(next.current), pageSize: String(next.pageSize) }),
          }}
        />
      </Card>
    </>
  )
}
