import { type CallbackState, callbackEvents, callbackStatus } from '@coffer/contract/codes.ts'
import { isTradeNo } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import type { ListSearch } from '../../lib/listSearch.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { DateFilter } from '../../ui/dates/DateFilter.tsx'
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
            options={Object.entries(callbackStatus).map(([state, status]) => ({
              value: String(status),
              label: common.callbackStates[state as CallbackState],
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
      <NumberFilter
        label={t.orderNumber}
        className="col-span-2 grow sm:w-60"
        value={filters.trade_no}
        fits={isTradeNo}
        error={common.tradeNumber}
        digits
        onCommit={trade_no => setFilters({ trade_no: trade_no ?? '' })}
      />
      <DateFilter
        label={t.time}
        className="col-span-2"
        value={rangeOf(filters)}
        onChange={range => setFilters({ from: range?.from ?? '', to: range?.to ?? '' })}
      />
      {filtered && (
        <Button look="ghost" icon="close" className="col-span-2 sm:mt-[26px]" onClick={clearFilters}>
          {common.clearFilters}
        </Button>
      )}
    </search>
  )
}
