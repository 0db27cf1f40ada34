import { all, first, type Queryable } from '../../kit/db.ts'

/** Statistics totals. Amounts are in base units: micro-USDT, and `volume` in the base units of the asset. */
export interface Figures {
  created_num: number
  paid_num: number
  volume_usdt: bigint
  income_usdt: bigint
  refund_usdt: bigint
  withdrawn_usdt: bigint
  volume: bigint
}

/** The figures of one day, application and asset. `slot` is the start of the day (Unix seconds). */
export interface DayFigures extends Figures {
  slot: number
  appid: string
  asset_id: string
}

const sums = ['created_num', 'paid_num', 'volume_usdt', 'income_usdt', 'refund_usdt', 'withdrawn_usdt', 'volume']
const columns = sums.join(', ')
const summed = sums.map(name => `sum(${name})::text as ${name}`).join(', ')

const allTime = first(
  'statistics-all-time',
  `select ${summed} from (
     select ${columns} from statistics where merchant_id = $1 and span = 'all'
     union all
     select ${columns} from statistics_changes where merchant_id = $1
   ) figures`,
)

/** Reads the all-time figures of a merchant, including unfolded changes. */
export const readAllTime = async (c: Queryable, merchantId: string): Promise<Figures> =>
  figuresOf((await allTime(c, merchantId))!)

const days = all(
  'statistics-days',
  `select slot, appid, asset_id, ${summed} from (
     select slot, appid, asset_id, ${columns} from statistics
     where merchant_id = $1 and span = 'day' and slot >= $2 and slot < $3
     union all
     select ($4::bigint[])[width_bucket(at, $4::bigint[])], appid, asset_id, ${columns} from statistics_changes
     where merchant_id = $1 and at >= $2 and at < $3
   ) figures
   where $5::text is null or appid = $5
   group by slot, appid, asset_id`,
)

/**
 * Reads figures per day, application and asset. `starts` has the start of every day and of the day after the last, in
 * the zone in which the merchant's days are kept. Days without figures are omitted.
 */
export async function readDays(
  c: Queryable,
  merchantId: string,
  starts: number[],
  appid: string | null,
): Promise<DayFigures[]> {
  const rows = await days(c, merchantId, starts[0]!, starts.at(-1)!, starts, appid)
  return rows.map(row => ({ ...figuresOf(row), slot: row.slot, appid: row.appid, asset_id: row.asset_id }))
}

const zones = first(
  'statistics-zones',
  `select m.time_zone as zone, z.time_zone as kept from merchants m left join statistics_zones z on z.merchant_id = m.id
   where m.id = $1`,
)

/** Reads the merchant's time zone and that of the stored days (null before the first fold). They differ after a change. */
export const readZones = async (c: Queryable, merchantId: string) =>
  (await zones(c, merchantId)) ?? { zone: 'UTC', kept: null }

const none: Figures = {
  created_num: 0,
  paid_num: 0,
  volume_usdt: 0n,
  income_usdt: 0n,
  refund_usdt: 0n,
  withdrawn_usdt: 0n,
  volume: 0n,
}

/** Sums figures. */
export function addUp(all: Iterable<Figures>): Figures {
  const total = { ...none }
  for (const each of all) {
    total.created_num += each.created_num
    total.paid_num += each.paid_num
    total.volume_usdt += each.volume_usdt
    total.income_usdt += each.income_usdt
    total.refund_usdt += each.refund_usdt
    total.withdrawn_usdt += each.withdrawn_usdt
    total.volume += each.volume
  }
  return total
}

function figuresOf(row: Record<keyof Figures, string | null>): Figures {
  return {
    created_num: Number(row.created_num ?? 0),
    paid_num: Number(row.paid_num ?? 0),
    volume_usdt: BigInt(row.volume_usdt ?? 0),
    income_usdt: BigInt(row.income_usdt ?? 0),
    refund_usdt: BigInt(row.refund_usdt ?? 0),
    withdrawn_usdt: BigInt(row.withdrawn_usdt ?? 0),
    volume: BigInt(row.volume ?? 0),
  }
}
