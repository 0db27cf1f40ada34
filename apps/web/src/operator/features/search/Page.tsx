import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useMessages } from '../../../i18n/messages.ts'
import { SearchInput } from '../../../ui/controls/SearchInput.tsx'
import { Card } from '../../../ui/data/Card.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Empty } from '../../../ui/feedback/States.tsx'
import { useRead } from '../../kit/api.ts'
import { usePaymentColumns, useWithdrawalColumns } from '../../kit/found.tsx'
import { MerchantLink, useConsoleNavigate } from '../../kit/links.tsx'
import { RowsCard } from '../../kit/Rows.tsx'
import type { ConsoleRouter } from '../../routes.ts'

/** Finds a merchant, a payment or a withdrawal by what support is given. */
export default function Search() {
  const t = useMessages('operator')
  const s = useMessages('support')
  const navigate = useConsoleNavigate()
  const { text = '' } = useSearch<ConsoleRouter, '/search'>({ from: '/search' })
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (text === '') box.current?.querySelector('input')?.focus()
  }, [text])
  return (
    <>
      <PageHeader title={s.searchTitle} text={s.searchText} />
      <div ref={box}>
        <SearchInput
          className="mb-4 sm:max-w-md"
          label={t.search}
          value={text}
          onCommit={next => void navigate({ to: '/search', search: next ? { text: next } : {}, replace: true })}
        />
      </div>
      {text !== '' && <Results text={text} />}
    </>
  )
}

function Results({ text }: { text: string }) {
  const t = useMessages('operator')
  const s = useMessages('support')
  const read = useRead('GET /api/operator/v1/search', { query: { text } })
  const payments = usePaymentColumns(true)
  const withdrawals = useWithdrawalColumns(true)
  const { data } = read
  const isNothing = data && [data.merchants, data.payments, data.withdrawals].every(list => list.length === 0)
  if (isNothing)
    return (
      <Card>
        <Empty icon="search" title={s.nothingFound(text)} text={s.nothingFoundHint} />
      </Card>
    )
  return (
    <div className="flex flex-col gap-4">
      {data?.merchants.length !== 0 && (
        <RowsCard
          title={s.foundMerchants}
          columns={[
            { title: t.merchant, cell: row => <MerchantLink id={row.mchid}>{row.name || row.mchid}</MerchantLink> },
            { title: t.number, cell: row => <span className="num">{row.mchid}</span> },
            { title: t.email, cell: row => <span className="block min-w-40 break-all">{row.email}</span> },
          ]}
          read={read}
          list="merchants"
          by={['mchid']}
          empty=""
        />
      )}
      {data && data.payments.length > 0 && (
        <RowsCard title={s.foundPayments} columns={payments} read={read} list="payments" by={['trade_no']} empty="" />
      )}
      {data && data.withdrawals.length > 0 && (
        <RowsCard title={s.foundWithdrawals} columns={withdrawals} read={read} list="withdrawals" empty="" />
      )}
    </div>
  )
}
