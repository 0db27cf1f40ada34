import { setTimeout as sleep } from 'node:timers/promises'

/** A callback as Coffer sent it. */
export interface ReceivedCallback {
  headers: Record<string, string>
  body: Buffer
}

/** How the network between Coffer and the endpoint behaves. */
export type CallbackRelayKind = 'plain' | 'twice' | 'disorder' | 'lost' | 'slow'

/** Longer than Coffer waits for a response. */
const slowMs = 20_000

/** What a relay does with a callback: hands it to the endpoint, and returns the status that Coffer gets. */
type Behaviour = (
  event: string,
  hand: () => Promise<number>,
  /** How often the event came before. */
  before: number,
) => Promise<number>

/** Returns a relay for one order. */
export function createCallbackRelay(
  kind: CallbackRelayKind,
  wait: (ms: number) => Promise<unknown> = sleep,
): Behaviour {
  let held: (() => Promise<number>) | undefined
  const onPaid =
    (behave: Behaviour): Behaviour =>
    (event, hand, before) =>
      event === 'payment.paid' ? behave(event, hand, before) : hand()
  const behaviours: Record<CallbackRelayKind, Behaviour> = {
    plain: (_, hand) => hand(),
    twice: onPaid(async (_, hand) => Math.max(...(await Promise.all([hand(), hand()])))),
    async disorder(event, hand) {
      if (event === 'payment.seen') {
        held = hand
        return 204
      }
      const status = await hand()
      await held?.()
      held = undefined
      return status
    },
    lost: onPaid(async (_, hand, before) => {
      const status = await hand()
      return before === 0 ? 500 : status
    }),
    slow: onPaid(async (_, hand, before) => {
      if (before === 0) await wait(slowMs)
      return hand()
    }),
  }
  return behaviours[kind]
}
