import { useMemo } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { useApplicationOptions } from '../../kit/list/choices.ts'
import type { ListField } from '../../kit/list/fields.ts'
import type { lists } from '../../lists.ts'
import { useSearchField, useStatusField } from './quickFields.ts'

/** The filters of payments. */
export function usePaymentFilterFields(): readonly ListField<typeof lists.payments.rules>[] {
  const t = useMessages('payment-columns')
  const common = useMessages('common')
  const { exceptions } = useMessages('shell')
  const search = useSearchField()
  const status = useStatusField()
  return useMemo(
    () => [
      search,
      status,
      { by: 'appid', label: t.application, all: t.allApplications, useOptions: useApplicationOptions },
      {
        by: 'out_trade_no',
        label: t.exactly(t.merchantOrder),
        error: t.badMerchantOrder,
        width: 'w-full grow sm:w-44',
      },
      {
        by: 'platform_no',
        label: t.exactly(t.platformOrder),
        error: common.tradeNumber,
        digits: true,
        width: 'w-full grow sm:w-44',
      },
      { by: 'days', label: t.time },
      {
        by: 'exception',
        label: t.exception,
        all: t.allExceptions,
        names: exceptions,
        isMore: true,
        width: 'w-full sm:w-48',
      },
      { by: 'metadata', label: t.metadataEntry, error: t.badMetadata, isMore: true, width: 'w-full grow sm:w-44' },
    ],
    [t, common, exceptions, search, status],
  )
}
