import { addressForm } from '@coffer/chains'
import type { Language } from '@coffer/contract'
import { formatDecimal } from '@coffer/contract/decimal.ts'
import { usdtDecimals } from '@coffer/core'
import { wallClock } from '../days.ts'
import { exceptionText, type exportColumns, statusText } from '../export-texts.ts'
import type { AssetName } from '../store/currencies.ts'
import { exportPlace as at, type ExportRow } from '../store/payment-export.ts'
import type { Cell } from '../xlsx/cells.ts'

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
    const text = (name: keyof typeof at) => String(row[at[name]] ?? '')
    const asset = assets.get(text('asset_id'))
    const inToken = (name: keyof typeof at): Cell =>
      asset ? { number: formatDecimal(BigInt(text(name)), asset.decimals) } : ''
    const shown = (address: string | null) => (asset && address ? addressForm[asset.kind].show(address) : '')
    const cells: Record<(typeof exportColumns)[number]['key'], Cell> = {
      application: applications.get(text('appid')) ?? '',
      appid: text('appid'),
      out_trade_no: text('out_trade_no'),
      trade_no: text('trade_no'),
      status: statusText(Number(row[at.status]), language),
      exception: exceptionText(text('exception'), language),
      usdt_amount: { number: formatDecimal(BigInt(text('usdt_amount')), usdtDecimals) },
      fiat_amount: { number: text('fiat_amount') },
      fiat_name: text('fiat_name'),
      amount: inToken('amount'),
      paid_amount: inToken('paid_amount'),
      fees: inToken('fees'),
      token: asset?.token ?? '',
      chain: asset?.chain ?? '',
      contract: shown(asset?.contract ?? null),
      address: shown(text('address')),
      txid,
      created: time(Number(row[at.created_at])),
      paid_time: row[at.paid_at] ? time(Number(row[at.paid_at])) : '',
    }
    return Object.values(cells)
  }
}
