import { useState } from 'react'
import { formatCount, formatShare } from '../../i18n/format.ts'
import { formatDay } from '../../i18n/formatDay.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { computePaidRatio } from '../../lib/computePaidRatio.ts'
import { useCell } from '../../lib/useCell.ts'
import { type Column, Table } from '../../ui/data/Table.tsx'
import { Amount, NoValue } from '../../ui/data/Values.tsx'
import { TokenName } from '../../ui/logos/Logo.tsx'
import { maxSinglePageDays, type StatisticsSummary, selectPageRows, selectTableDays } from './summary.ts'

type Sums = Pick<StatisticsSummary['total'], 'income' | 'refund' | 'create_num' | 'pay_num'>

/** Columns shared by the tables of days and applications. */
function useSumColumns(): Column<Sums>[] {
  const t = useMessages('statistics')
  const inLanguage = useCell(language)
  return [
    {
      key: 'income',
      title: t.inUsdt(t.income),
      align: 'end',
      phone: 'value',
      phoneCell: row => <Amount value={row.income} unit={t.usdt} />,
      amount: row => ({ value: row.income }),
      cell: row => <Amount column value={row.income} />,
    },
    {
      key: 'refund',
      title: t.inUsdt(t.refund),
      align: 'end',
      amount: row => ({ value: row.refund }),
      cell: row => <Amount column value={row.refund} />,
    },
    { key: 'created', title: t.created, align: 'end', cell: row => formatCount(row.create_num, inLanguage) },
    { key: 'paid', title: t.paid, align: 'end', cell: row => formatCount(row.pay_num, inLanguage) },
    {
      key: 'rate',
      title: t.rate,
      align: 'end',
      phone: 'note',
      cell: row => {
        const ratio = computePaidRatio(row)
        return ratio === null ? <NoValue /> : formatShare(ratio, inLanguage)
      },
    },
  ]
}

export function DailyStatisticsTable({
  rows,
  total,
}: {
  rows: StatisticsSummary['days'] | undefined
  total: StatisticsSummary['total'] | undefined
}) {
  const t = useMessages('statistics')
  const inLanguage = useCell(language)
  const sums = useSumColumns()
  const [page, setPage] = useState({ current: 1, pageSize: 20 })
  const columns: Column<StatisticsSummary['days'][number]>[] = [
    {
      key: 'day',
      title: t.day,
      sticky: 'start',
      cell: row => (row.date === '' ? t.total : <span className="num">{formatDay(row.date, inLanguage)}</span>),
    },
    ...sums,
  ]
  const days = rows && selectTableDays(rows)
  const shown = days && (days.length > maxSinglePageDays ? selectPageRows(days, page) : days)
  return (
    <Table
      caption={t.perDay}
      columns={columns}
      rows={shown && total && [{ ...total, date: '' }, ...shown]}
      rowKey={row => row.date}
      isSum={row => row.date === ''}
      skeletonRows={2}
      {...(days && days.length > maxSinglePageDays && { paging: { ...page, total: days.length, onChange: setPage } })}
    />
  )
}

export function ApplicationStatisticsTable({ rows }: { rows: StatisticsSummary['applications'] | undefined }) {
  const t = useMessages('statistics')
  const sums = useSumColumns()
  const columns: Column<StatisticsSummary['applications'][number]>[] = [
    {
      key: 'name',
      title: t.application,
      sticky: 'start',
      cell: row => (
        <span className="block max-w-44 truncate" title={row.name}>
          {row.name}
        </span>
      ),
    },
    ...sums,
  ]
  return <Table caption={t.perApplication} columns={columns} rows={rows} rowKey={row => row.appid} skeletonRows={3} />
}

export function AssetStatisticsTable({ rows }: { rows: StatisticsSummary['assets'] | undefined }) {
  const t = useMessages('statistics')
  const inLanguage = useCell(language)
  const columns: Column<StatisticsSummary['assets'][number]>[] = [
    {
      key: 'asset',
      title: `${t.token} / ${t.chain}`,
      sticky: 'start',
      cell: row => <TokenName token={row.token} chain={row.chain} />,
    },
    {
      key: 'amount',
      title: t.amount,
      align: 'end',
      phone: 'value',
      amount: row => ({ value: row.amount, unit: row.token }),
      cell: row => <Amount column value={row.amount} unit={row.token} />,
    },
    {
      key: 'income',
      title: t.inUsdt(t.income),
      align: 'end',
      phone: 'note',
      phoneCell: row => <Amount value={row.income} unit={t.usdt} />,
      amount: row => ({ value: row.income }),
      cell: row => <Amount column value={row.income} />,
    },
    { key: 'paid', title: t.paid, align: 'end', cell: row => formatCount(row.pay_num, inLanguage) },
  ]
  return (
    <Table
      caption={t.perAsset}
      columns={columns}
      rows={rows}
      rowKey={row => `${row.token} ${row.chain}`}
      skeletonRows={3}
    />
  )
}
