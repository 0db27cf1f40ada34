import { paymentStatus } from '@coffer/contract/codes.ts'
import { useMessages } from '../../i18n/messages.ts'

/** States offered by the status filter. */
const states = ['open', 'paid', 'timed_out'] as const

export function useStateOptions() {
  const { paymentStates } = useMessages('common')
  return states.map(state => ({ value: `${paymentStatus[state]}` as const, label: paymentStates[state] }))
}
