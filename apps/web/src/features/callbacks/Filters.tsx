import { callbackEvents, callbackStatus } from '@coffer/contract/codes.ts'
import { isTradeNo } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { dayOf, longestRange } from '../../days.ts'
import { useMessages } from '../../i18n/messages.ts'
import type { ListSearch } from '../../listSearch.ts'
import { Button } from '../../ui/Button.tsx'
import { DateRange } from '../../ui/DateRange.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { type FilterName, rangeOf } from './search.ts'

/** The filters of the list; choices act at once, the order number when it is whole. */
export function Filters({ search }: { search: ListSearch<FilterName> }) {
  const t = useMessages('callbacks')
  const common = useMessages('common')
  const { filters, filtered, setFilters, clearFilters } = search
  const { data: applications } = useQuery(apiQuery('GET /api/v1/user/application-list', {}))
  return (
    <search aria-label={t.filters} className="grid grid-cols-2 items-start gap-3 px-5 py-4 sm:flex sm:flex-wrap">
      <Field label={t.status} className="sm:w-40">
        {control => (
          <Select
            {...control}
            value={filters.status}
            placeholder={t.allStatuses}
            options={Object.values(callbackStatus).map(status => ({
              value: String(status),
              label: t.statuses[status] ?? '',
            }))}
            onChange={status => setFilters({ status })}
          />
        )}
      </Field>
      <Field label={t.event} className="sm:w-44">
        {control => (
          <Select
            {...control}
            value={filters.event}
            placeholder={t.allEvents}
            options={callbackEvents.map(event => ({ value: event as string, label: t.events[event] ?? event }))}
            onChange={event => setFilters({ event })}
          />
        )}
      </Field>
      <Field label={t.application} className="col-span-2 sm:w-44">
        {control => (
          <Select
            {...control}
            value={filters.appid}
            placeholder={t.allApplications}
            options={(applications?.list ?? []).map(({ appid, name }) => ({ value: appid, label: name }))}
            onChange={appid => setFilters({ appid })}
          />
        )}
      </Field>
      <OrderFilter value={filters.trade_no} onCommit={trade_no => setFilters({ trade_no })} />
      <div className="col-span-2 flex flex-col items-start gap-1.5">
        <span aria-hidden="true" className="text-[13px] font-medium text-ink-2">
          {t.time}
        </span>
        <DateRange
          value={rangeOf(filters)}
          today={dayOf(Date.now() / 1000)}
          longest={longestRange}
          clearable
          onChange={range => setFilters({ from: range?.from ?? '', to: range?.to ?? '' })}
        />
      </div>
      {filtered && (
        <Button look="ghost" icon="close" className="col-span-2 sm:mt-[26px]" onClick={clearFilters}>
          {common.clearFilters}
        </Button>
      )}
    </search>
  )
}

function OrderFilter({ value, onCommit }: { value: string; onCommit(text: string): void }) {
  const t = useMessages('callbacks')
  const common = useMessages('common')
  const [text, setText] = useState(value)
  const [wrong, setWrong] = useState(false)
  useEffect(() => setText(value), [value])
  const commit = () => {
    const fits = text.trim() === '' || isTradeNo(text.trim())
    setWrong(!fits)
    if (fits && text.trim() !== value) onCommit(text.trim())
  }
  return (
    <Field label={t.orderNumber} error={wrong && common.tradeNumber} className="col-span-2 sm:w-60">
      {control => (
        <TextInput
          {...control}
          inputMode="numeric"
          autoComplete="off"
          className="num"
          value={text}
          onChange={next => {
            setText(next)
            setWrong(false)
          }}
          onBlur={commit}
          onKeyDown={event => event.key === 'Enter' && commit()}
        />
      )}
    </Field>
  )
}
