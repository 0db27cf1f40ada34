import type { Webhook } from '@coffer/contract/callbacks/webhooks.ts'

type WithoutTime<T> = T extends Webhook ? Omit<T, 'timestamp'> : never

/**
 * Returns the JSON body of a callback as it is signed and sent, the same bytes at every attempt:
 * `encodeCallbackBody({ type: 'payment.paid', data: order }, now)`. `now` is unix seconds.
 */
export const encodeCallbackBody = ({ type, data }: WithoutTime<Webhook>, now: number): string =>
  JSON.stringify({ type, timestamp: new Date(now * 1000).toISOString(), data })
