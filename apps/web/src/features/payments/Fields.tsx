import { isOutTradeNo, isTradeNo } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { SelectFilter } from '../../kit/list/Filters.tsx'
import type { ListFilter } from '../../kit/list/useListSearch.ts'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import type { RecordFilters } from './search.ts'

/** Filters by application and order number. */
export function OrderFields({ filter: { values, set } }: { filter: ListFilter<RecordFilters> }) {
  const t = useMessages('payments')
  const common = useMessages('common')
  const applications = useQuery(apiQuery('GET /api/v1/user/application-list', {}))
  return (
    <>
      <SelectFilter
        label={t.application}
        all={t.allApplications}
        className="w-full sm:w-40"
        value={values.appid}
        options={(applications.data?.list ?? []).map(({ appid, name }) => ({ value: appid, label: name }))}
        onChange={appid => set({ appid })}
      />
      <NumberFilter
        label={t.merchantOrder}
        className="w-full grow sm:w-44"
        value={values.out_trade_no}
        fits={isOutTradeNo}
        error={t.badMerchantOrder}
        onCommit={out_trade_no => set({ out_trade_no })}
      />
      <NumberFilter
        label={t.platformOrder}
        className="w-full grow sm:w-60"
        value={values.platform_no}
        fits={isTradeNo}
        error={common.tradeNumber}
        digits
        onCommit={platform_no => set({ platform_no })}
      />
    </>
  )
}
