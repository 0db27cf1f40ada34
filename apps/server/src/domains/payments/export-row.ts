import { kinds } from '@coffer/chains'
import type { Language } from '@coffer/contract'
import type { PaymentException } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/decimal.ts'
import { usdtDecimals } from '@coffer/core/amounts.ts'
import { wallClock } from '../../kit/days.ts'
import type { Cell } from '../../kit/xlsx/cells.ts'
import type { AssetName } from '../chains/currencies.ts'
import { exceptionText, type exportColumns, statusText } from './export-texts.ts'
import { exportPlace as at, type ExportRow } from './payment-export.ts'

/** What rows are written with besides what they hold. */
export interface RowNames {
  assets: ReadonlyMap<string, AssetName>
  /** Names of applications by appid. */
  applications: ReadonlyMap<string, string>
  zone: string
  language: Language
}

/** Gives the cells of a payment in the order of `exportColumns`. Amounts in a token are empty until one was chosen. */
export function rowWriter({ assets, applications, zone, language }: RowNames) {
  const time = wallClock(zone)
  return (row: ExportRow, txid: string): Cell[] => {
    const asset = assets.get(text(row[at.asset_id]))
    const inToken = (units: ExportRow[number] | undefined): Cell => (asset ? inUnits(units, asset.decimals) : '')
    const shown = (address: string | null) => (asset && address ? kinds[asset.kind].address.show(address) : '')
    const cells: Record<(typeof exportColumns)[number]['key'], Cell> = {
      application: applications.get(text(row[at.appid])) ?? '',
      appid: text(row[at.appid]),
      out_trade_no: text(row[at.out_trade_no]),
      trade_no: text(row[at.trade_no]),
      status: statusText(Number(row[at.status]), language),
      exception: exceptionText(text(row[at.exception]) as PaymentException, language),
      usdt_amount: inUnits(row[at.usdt_amount], usdtDecimals),
      fiat_amount: { number: text(row[at.fiat_amount]) },
      fiat_name: text(row[at.fiat_name]),
      amount: inToken(row[at.amount]),
      paid_amount: inToken(row[at.paid_amount]),
      fees: inToken(row[at.fees]),
      token: asset?.token ?? '',
      chain: asset?.chain ?? '',
      contract: shown(asset?.contract ?? null),
      address: shown(text(row[at.address])),
      txid,
      created: time(Number(row[at.created_at])),
      paid_time: row[at.paid_at] ? time(Number(row[at.paid_at])) : '',
    }
    return Object.values(cells)
  }
}
const text = (value: ExportRow[number] | undefined) => String(value ?? '')
const inUnits = (units: ExportRow[number] | undefined, decimals: number): Cell => ({
  number: formatDecimal(BigInt(text(units)), decimals),
})
