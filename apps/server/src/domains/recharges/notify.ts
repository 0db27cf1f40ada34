import type { ChainDefinition } from '@coffer/chains'
import type { DepositCallbackEvent } from '@coffer/contract'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { encodeCallbackBody } from '../callbacks/encode-callback-body.ts'
import { callbackUrlForEvent, enqueueCallbacks } from '../callbacks/enqueue.ts'
import type { DepositRow } from '../payments/to-deposit-view.ts'
import { presentDeposit } from './present.ts'
import { listCallbackReceivers } from './store.ts'

/** An event of a deposit without a payment, which is in its new state. */
export interface DepositEvent {
  event: DepositCallbackEvent
  merchant_id: string
  row: DepositRow & { chain_id: string }
}

/**
 * Queues callbacks to the applications that made the addresses, in the transaction of what they report. Reads the
 * addresses of all deposits in one statement; without deposits it does nothing.
 */
export async function notifyRecharges(
  uow: UnitOfWork,
  chain: { id: string; definition: ChainDefinition },
  reported: readonly DepositEvent[],
  now: number,
): Promise<void> {
  if (reported.length === 0) return
  const addresses = [...new Set(reported.map(each => each.row.to_address))]
  const rows = await listCallbackReceivers(uow.c, chain.id, chain.definition.kind, addresses)
  const receivers = new Map(rows.map(row => [row.address, row]))
  enqueueCallbacks(
    uow,
    reported.flatMap(({ event, merchant_id, row }) => {
      const receiver = receivers.get(row.to_address)
      if (!receiver) return []
      const { id: address_id, appid, reference, callbacks_muted: muted } = receiver
      const url = callbackUrlForEvent(event, { url: receiver.url, muted })
      const data = presentDeposit({ ...row, address_id, appid, reference })
      const body = encodeCallbackBody({ type: event, data }, now)
      const { amount, token } = data
      return [{ merchant_id, appid, trade_no: '', event, seq: 0, url, body, amount, token, created_at: now }]
    }),
  )
}
