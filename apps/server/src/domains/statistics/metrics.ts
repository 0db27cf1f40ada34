import { valueDecimals } from '@coffer/core'
import { Counter } from 'prom-client'
import { registry } from '../../kit/metrics.ts'

const registers = [registry]
const counter = <T extends string>(name: string, help: string, ...labelNames: T[]) =>
  new Counter({ name, help, labelNames, registers })
const paid = counter('coffer_payments_paid_total', 'Payments that were paid, counted where it was committed')
const money = counter('coffer_money_usdt_total', 'Value in USDT that came, was withdrawn or refunded', 'direction')

const directions = { in: 'volume_usdt', withdrawn: 'withdrawn_usdt', refunded: 'refund_usdt' } as const

/** Changes of figures that are counted: values in USDT have `valueDecimals`. */
type CountedChange = Partial<Record<'paid_num' | (typeof directions)[keyof typeof directions], bigint>>

/** Counts committed changes of the figures. What a reorg takes back is not taken from a counter, which only grows. */
export function countStatistics(changes: readonly CountedChange[]): void {
  for (const change of changes) {
    if (change.paid_num && change.paid_num > 0n) paid.inc(Number(change.paid_num))
    for (const [direction, name] of Object.entries(directions)) {
      const value = change[name] ?? 0n
      if (value > 0n) money.inc({ direction }, Number(value) / 10 ** valueDecimals)
    }
  }
}
