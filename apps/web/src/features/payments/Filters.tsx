import { paymentStatus } from '@coffer/contract/codes.ts'
import { isOutTradeNo, isTradeNo } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { DateFilter } from '../../ui/dates/DateFilter.tsx'
import { applicationList } from './queries.ts'
import { filterStates, hasFilter, type RecordFilter, rangeOfFilter } from './search.ts'

export type FilterChange = { [key in keyof RecordFilter]: RecordFilter[key] | undefined }

interface Props {
  filter: RecordFilter
  onChange(change: FilterChange): void
  onClear(): void
}

/** The filters of the list. Choices act at once; numbers act on Enter or when the field is left. */
function PlainFilters({ filter, onChange, onClear }: Props) {
  const t = useMessages('payments')
  const common = useMessages('common')
  const applications = useQuery(applicationList)
  return (
    <search aria-label={t.filters} className="flex flex-wrap items-start gap-x-3 gap-y-3 px-5 py-4">
      <Field label={t.status} className="w-full sm:w-48">
        {control => (
          <Select
            {...control}
            value={filter.status === undefined ? '' : String(filter.status)}
            placeholder={t.allStatuses}
            options={filterStates.map(state => ({
              value: String(paymentStatus[state]),
              label: common.paymentStates[state],
            }))}
            onChange={status => onChange({ status: status === '' ? undefined : Number(status) })}
          />
        )}
      </Field>
      <Field label={t.application} className="w-full sm:w-40">
        {control => (
          <Select
            {...control}
            value={filter.appid ?? ''}
            placeholder={t.allApplications}
            options={(applications.data?.list ?? []).map(({ appid, name }) => ({ value: appid, label: name }))}
            onChange={appid => onChange({ appid: appid || undefined })}
          />
        )}
      </Field>
      <NumberFilter
        label={t.merchantOrder}
        className="w-full grow sm:w-44"
        value={filter.out_trade_no}
        fits={isOutTradeNo}
        error={t.badMerchantOrder}
        onCommit={out_trade_no => onChange({ out_trade_no })}
      />
      <NumberFilter
        label={t.platformOrder}
        className="w-full grow sm:w-60"
        value={filter.platform_no}
        fits={isTradeNo}
        error={common.tradeNumber}
        digits
        onCommit={platform_no => onChange({ platform_no })}
      />
      <DateFilter
        label={t.time}
        value={rangeOfFilter(filter)}
        onChange={range => onChange({ from: range?.from, to: range?.to })}
      />
      {hasFilter(filter) && (
        <Button look="ghost" icon="close" className="mt-[26px]" onClick={onClear}>
          {common.clearFilters}
        </Button>
      )}
    </search>
  )
}

/** Drawn again only for another filter, not for another page. */
export const Filters = memo(PlainFilters)
