import { paymentStatus } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { useMemo } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { toCodeNames } from '../../kit/list/fields.ts'

/** The search over all payments, which a phone draws at once. */
export function useSearchField() {
  const t = useMessages('payments')
  return useMemo(
    () => ({ by: 'text', label: t.searchText, placeholder: t.searchHint, maxLength: limits.recordTextMax }) as const,
    [t],
  )
}

/** The filter by status, which a phone draws at once. */
export function useStatusField() {
  const t = useMessages('payments')
  const { paymentStates } = useMessages('shell')
  return useMemo(
    () => ({
      ...({ by: 'status', quick: 'all' } as const),
      label: t.status,
      all: t.allStatuses,
      names: toCodeNames(paymentStatus, paymentStates),
      width: 'w-full sm:w-48',
    }),
    [t, paymentStates],
  )
}
