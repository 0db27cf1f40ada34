import type { Language } from '@coffer/contract/languages.ts'
import type { CallbackRelayKind } from './relay.ts'

/** What can be done to an order during a scenario. */
export interface ScenarioActions {
  /** Pays a share of the price, by default all that is left. */
  pay: (share?: number) => Promise<void>
  /**
   * Waits until Coffer knows the transfer, whether or not it says so: of one that is final at once it says only that.
   */
  seen: () => Promise<void>
  /** Brings the deadline to now. */
  expire: () => Promise<void>
  /** Has the chain lose the transfer after it was final. */
  reverse: () => Promise<void>
  /** Sends the endpoint a paid event that Coffer has not signed. */
  forge: () => Promise<void>
  /** Waits until the endpoint has taken an event, or has refused it as often as the scenario tries. */
  until: (event: string) => Promise<void>
  /** Reads the status URL, if there is one, until it says whether the order is to be delivered. */
  delivers: (expected: boolean) => Promise<void>
}

export interface Scenario {
  title: Record<Language, string>
  /** By default eth: what reverts blocks has a chain of its own. */
  chain?: 'bsc'
  /** How callbacks reach the endpoint; by default as they are. */
  relay?: CallbackRelayKind
  live: (order: ScenarioActions) => Promise<void>
}

/** Pays in full, and expects the order to be delivered. */
async function paidInFull({ pay, until, delivers }: ScenarioActions): Promise<void> {
  await pay()
  await until('payment.paid')
  await delivers(true)
}

/** What happens to orders and to their callbacks, by name. */
export const scenarios: Record<string, Scenario> = {
  paid: { title: { en: 'Paid', 'zh-CN': '正常支付' }, live: paidInFull },
  parts: {
    title: { en: 'Paid in two parts', 'zh-CN': '分两次支付' },
    async live(order) {
      await order.pay(0.5)
      await order.until('payment.partial')
      await order.delivers(false)
      await paidInFull(order)
    },
  },
  over: {
    title: { en: 'Overpaid', 'zh-CN': '多付' },
    async live({ pay, until, delivers }) {
      await pay(2)
      await until('payment.paid')
      await until('payment.over')
      await delivers(true)
    },
  },
  late: {
    title: { en: 'Final after the deadline', 'zh-CN': '到期后才最终确认' },
    async live({ pay, seen, until, expire, delivers }) {
      await pay()
      await seen()
      await expire()
      await until('payment.paid')
      await delivers(true)
    },
  },
  expired: {
    title: { en: 'Expired, then paid', 'zh-CN': '过期后支付' },
    async live({ expire, until, delivers, pay }) {
      await expire()
      await until('payment.timeout')
      await delivers(false)
      await pay()
      // Whether it is delivered now is the shop's decision.
      await until('payment.late')
    },
  },
  reversed: {
    title: { en: 'Reversed after it was paid', 'zh-CN': '支付后被链回滚' },
    chain: 'bsc',
    async live(order) {
      await paidInFull(order)
      await order.reverse()
      await order.until('payment.error')
      await order.delivers(false)
    },
  },
  twice: {
    title: { en: 'Callback twice at the same time', 'zh-CN': '回调同时送达两次' },
    relay: 'twice',
    live: paidInFull,
  },
  disorder: { title: { en: 'Callbacks out of order', 'zh-CN': '回调乱序送达' }, relay: 'disorder', live: paidInFull },
  lost: { title: { en: 'Response lost, sent again', 'zh-CN': '响应丢失，重新发送' }, relay: 'lost', live: paidInFull },
  slow: { title: { en: 'Slow for 20 seconds', 'zh-CN': '延迟 20 秒' }, relay: 'slow', live: paidInFull },
  forged: {
    title: { en: 'Callback with a forged signature', 'zh-CN': '伪造签名的回调' },
    async live({ forge, delivers }) {
      await forge()
      await delivers(false)
    },
  },
}
