import { chainAdapters } from '@coffer/chains'
import { isPayableStatus, type RouteData } from '@coffer/contract'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { amountDue, computeSurplus } from '@coffer/core'
import { chainLogo, tokenLogo } from '../../../http/logos.ts'
import { usdtText } from '../../../kit/amounts.ts'
import type { Asset } from '../../chains/assets.ts'
import { type ChainProgress, findChainDelay } from '../../chains/chain-delay.ts'
import { computeAmountInAsset } from '../choose-asset.ts'
import { type DepositRow, toDepositView } from '../to-deposit-view.ts'
import type { CheckoutRow } from './checkout-read.ts'

export type Checkout = RouteData<'GET /api/v1/checkout/:trade_no'>

interface Server {
  now: number
  sandbox: boolean
}

/** Formats a payment for its payer. Leaves out the merchant's private fields. */
export function presentCheckout(
  row: CheckoutRow,
  deposits: DepositRow[],
  assets: readonly Asset[],
  { now, sandbox }: Server,
): Checkout {
  const open = isPayableStatus(row.status)
  return {
    trade_no: row.trade_no,
    out_trade_no: row.out_trade_no,
    sandbox,
    merchant_name: row.name,
    merchant_url: row.website,
    logo: row.logo,
    subject: row.subject,
    status: row.status,
    exception: row.exception,
    usdt_amount: usdtText(row.usdt_amount),
    fiat_name: row.fiat_name,
    fiat_amount: row.fiat_amount,
    rate: row.price && {
      price: row.price.price,
      source: ['fixed', 'own'].includes(row.price.source) || row.price.spread ? 'merchant' : 'market',
    },
    now,
    expire_time: row.expire_at,
    return_url: row.return_url,
    cancel_url: row.cancel_url,
    auto_redirect: row.auto_redirect,
    delayed: hasChain(row) && findChainDelay(row, now) !== null,
    choices: open && row.paid_amount === 0n && row.pending_amount === 0n ? choices(row, assets) : [],
    chosen: chosen(row, open, assets),
    deposits: deposits.map(deposit => {
      const view = toDepositView(deposit)
      const returned = returnedAs(deposit)
      // Named one by one: the page is public.
      return {
        txid: view.txid,
        browser_url: view.browser_url,
        chain: view.chain,
        token: view.token,
        amount: view.amount,
        confirmations: view.confirmations,
        required_confirmations: view.required_confirmations,
        state: view.state,
        late: view.late,
        held: view.held,
        accepted: deposit.accepted,
        returned,
        returned_to: returned === 'no' ? '' : view.from_address,
        seen_time: view.seen_time,
      }
    }),
  }
}

/**
 * Whether a deposit is given back: one whose return was stopped is the merchant's, and one that left the chain
 * nobody's.
 */
function returnedAs({ state, return_status }: DepositRow): Checkout['deposits'][number]['returned'] {
  if (state !== 'credited' || return_status === null || return_status === withdrawalStatus.canceled) return 'no'
  return return_status === withdrawalStatus.accomplished ? 'sent' : 'coming'
}

/** Assets the payer may choose: tokens with a locked rate on chains that have started and are not halted. */
function choices(row: CheckoutRow, assets: readonly Asset[]): Checkout['choices'] {
  // USDT comes first because most payers hold it.
  const inOrder = assets.toSorted((a, b) => Number(b.symbol === 'USDT') - Number(a.symbol === 'USDT'))
  return inOrder.flatMap(({ id, symbol, contract, decimals, definition, halted, started }) => {
    const rate = row.token_rates[symbol]
    const offered = row.fixed_asset_id === null || row.fixed_asset_id === id
    if (!rate || !offered || !started || halted !== null) return []
    return {
      asset_id: id,
      token: symbol,
      chain: definition.name,
      net_work: contract === null ? '' : definition.network,
      logo: tokenLogo(symbol),
      chain_logo: chainLogo(definition.id),
      amount: formatDecimal(computeAmountInAsset(row, { symbol, decimals }, rate.price), decimals),
    }
  })
}

function chosen(row: CheckoutRow, open: boolean, assets: readonly Asset[]): Checkout['chosen'] {
  const { asset_id, token, decimals, address, definition } = row
  if (asset_id === null || token === null || decimals === null || address === null || definition === null) return null
  const requested = row.amount
  const paid = row.paid_amount
  const pending = row.pending_amount
  const expected = { requested, decimals, tolerancePermille: row.tolerance_permille }
  const rest = open ? amountDue({ ...expected, paid, pending }) : 0n
  const minimum = assets.find(each => each.id === asset_id)?.minimum ?? 0n
  const write = (units: bigint) => formatDecimal(units, decimals)
  const { address: form, paymentUri } = chainAdapters[definition.kind]
  const shown = form.show(address)
  return {
    asset_id,
    token,
    chain: definition.name,
    net_work: row.contract === null ? '' : definition.network,
    counted: row.mixed_payment ? otherTokens(row, assets, definition.id) : [],
    logo: tokenLogo(token),
    chain_logo: chainLogo(definition.id),
    contract: row.contract ? form.show(row.contract) : '',
    decimals,
    address: shown,
    amount: write(requested),
    paid: write(paid),
    pending: write(pending),
    rest: write(rest),
    surplus: write(computeSurplus({ requested, paid, decimals })),
    minimum: minimum > 0n && minimum <= requested ? write(minimum) : '',
    uri: rest > 0n ? paymentUri({ chain: definition, contract: row.contract, address: shown, amount: rest }) : '',
  }
}

/** Other tokens of the chain with a locked rate. Their deposits count when mixed payment is enabled. */
const otherTokens = (row: CheckoutRow, assets: readonly Asset[], chain: string): string[] =>
  assets.flatMap(({ chain_id, symbol }) =>
    chain_id === chain && symbol !== row.token && row.token_rates[symbol] ? symbol : [],
  )

const hasChain = (row: CheckoutRow): row is CheckoutRow & ChainProgress => row.definition !== null
