import { type Chain, chainAdapters, explorerUrl } from '@coffer/chains'
import type { RouteData } from '@coffer/contract'
import { codeNameOf, withdrawalStatus } from '@coffer/contract/codes.ts'
import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { acceptsPaymentEvent, powerOfTen } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { formatRefusalText } from '../../http/errors.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { newTradeNo } from '../../kit/ids.ts'
import { events } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { countCall, throttle, throttleIp } from '../../kit/throttle.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { type Asset, listEnabledAssets } from '../chains/assets.ts'
import { parseDestination } from '../destinations/destination.ts'
import { requirePayableDestination } from '../destinations/explain-destination.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockMerchant, type Merchant, merchantById } from '../merchants/store.ts'
import { isPayable } from '../outgoing/sender.ts'
import { PaymentChange } from '../payments/payment-changes.ts'
import {
  assertNoDepositsInDoubt,
  lockMerchantPayment,
  readMerchantPayment,
  type StoredPayment,
} from '../payments/store.ts'
import { readMailboxCoolDown } from '../policies/policy.ts'
import { signQuote, verifyPayoutQuote } from '../withdrawals/quote.ts'
import { readAvailableBalance } from '../withdrawals/store.ts'
import { createRefund } from './create-refund.ts'
import { checkPayout, quoteRefund, type RefundQuote } from './eligibility.ts'
import { endOpenRefundLink, lockRefundLink, refundLinkByToken, type StoredRefundLink } from './link-store.ts'
import { readRefund } from './list.ts'
import { findPendingRefund } from './store.ts'

type Claim = RouteData<'POST /api/v1/public/refund-claim'>

/** The payer's input: the secret of the link, and the destination. */
interface Claimed {
  token: string
  assetId: string
  address: string
  /** A signed quote, honoured for as long as one of a withdrawal. */
  quote?: string | undefined
}

const visits = { max: 120, seconds: 60 }
const tries = { max: 60, seconds: 3_600 }

/** Finds a link. Throws Refusal('link_not_valid') for one that does not exist. */
async function open(deps: Deps, token: string, from: Visitor): Promise<StoredRefundLink> {
  await throttleIp(deps, 'refund claim', from.ip, visits)
  const row = await refundLinkByToken(deps.pool, hashSecret(token))
  if (!row) throw new Refusal('link_not_valid')
  return row
}

const isOpen = (deps: Deps, { state, expires_at }: StoredRefundLink) => state === 'open' && expires_at > deps.clock()

/**
 * The link's token on each network where it can be paid, the payment's network first, where its money is: the payer
 * chooses.
 */
async function payable({ pool, chains }: Deps, { token, asset_id }: StoredRefundLink): Promise<Asset[]> {
  const assets = (await listEnabledAssets(pool)).filter(({ symbol, halted, chain_id }) => {
    const chain = chains.get(chain_id)
    return symbol === token && halted === null && chain !== undefined && isPayable(chain)
  })
  return assets.sort((a, b) => Number(b.id === asset_id) - Number(a.id === asset_id))
}

/** The networks offered to the payer: those where the merchant's balance covers the refund, or all if none does. */
async function offered(deps: Deps, link: StoredRefundLink): Promise<Asset[]> {
  const assets = await payable(deps, link)
  const balances = await Promise.all(assets.map(({ id }) => readAvailableBalance(deps.pool, link.merchant_id, id)))
  const covered = assets.filter((asset, index) => (balances[index]?.balance ?? 0n) >= inAsset(link, asset))
  return covered.length > 0 ? covered : assets
}

/** Shows the refund of a link to its payer. */
export async function readRefundClaim(deps: Deps, token: string, from: Visitor): Promise<Claim> {
  const link = await open(deps, token, from)
  const [payment, refund, assets] = await Promise.all([
    readMerchantPayment(deps.pool, link.merchant_id, link.trade_no),
    link.refund_id === null ? undefined : readRefund(deps.pool, link.merchant_id, link.refund_id),
    isOpen(deps, link) ? offered(deps, link) : [],
  ])
  const definition = refund?.definition
  const inToken = (units: bigint) => formatDecimal(units, refund?.decimals ?? link.decimals)
  return {
    state: refund
      ? stateOf(refund, deps.clock())
      : link.state === 'canceled'
        ? 'canceled'
        : isOpen(deps, link)
          ? 'open'
          : 'expired',
    merchant_name: link.payee ?? '',
    out_trade_no: payment?.out_trade_no ?? '',
    token: link.token,
    amount: formatDecimal(link.amount, link.decimals),
    gas_payer: link.gas_payer,
    networks: assets.map(({ id, definition, contract }) => ({
      asset_id: id,
      chain: definition.name,
      net_work: contract === null ? '' : definition.network,
    })),
    expire_time: link.expires_at,
    chain: definition?.name ?? '',
    address: refund && definition ? chainAdapters[definition.kind].address.show(refund.to_address) : '',
    gas: refund && link.gas_payer === 'payer' ? inToken(refund.gas) : '0',
    receives: refund ? inToken(refund.receives) : '0',
    send_time: refund?.send_after ?? 0,
    txid: refund?.txid && definition ? chainAdapters[definition.kind].showTxid(refund.txid) : '',
    browser_url: (refund?.txid && definition && explorerUrl(definition, 'tx', refund.txid)) || '',
  }
}

function stateOf(
  { status, out_nonce, send_after }: { status: number; out_nonce: number | null; send_after: number },
  now: number,
) {
  const state = codeNameOf(withdrawalStatus, status)
  if (state === 'accomplished') return 'paid' as const
  if (state === 'canceled') return 'canceled' as const
  if (state === 'confirming') return 'confirming' as const
  if (state === 'abnormal') return 'failed' as const
  return out_nonce === null && send_after > now ? ('waiting' as const) : ('sending' as const)
}

/** The amount of a link in base units of another asset with the same symbol, rounded down. */
function inAsset({ amount, decimals }: StoredRefundLink, asset: Asset): bigint {
  const shift = asset.decimals - decimals
  return shift >= 0 ? amount * powerOfTen(shift) : amount / powerOfTen(-shift)
}

/** Checks a claim, including whether the balance suffices. */
async function checkClaim(
  deps: Deps,
  c: Queryable,
  {
    link,
    merchant,
    payment,
    to,
    quote,
  }: {
    link: StoredRefundLink
    merchant: Merchant
    payment: StoredPayment
    to: string
    quote: RefundQuote
  },
) {
  const amount = inAsset(link, quote.asset)
  const passkeyAt = link.by_passkey ? deps.clock() : null
  const request = { merchant, payment, gasPayer: link.gas_payer, amount, to, quote, personId: null, passkeyAt }
  const { terms, value, senders, refusal } = await checkPayout(deps, c, { ...request, fromBalance: true })
  return { terms, value, senders, refused: refusal.account ?? refusal.terms }
}

const feeTooHigh = {
  en: 'The network fee is at least as high as the refund: choose another network or try again later',
  'zh-CN': '该网络的矿工费不低于退款金额，请选择其他网络或稍后再试',
}

/** The refusal shown to the payer: only what they can change themselves. */
const toPayer = (refused: Refusal) =>
  isForPayer(refused) ? new Refusal('amount_too_small', { text: feeTooHigh }) : new Refusal('claim_unavailable')

const isForPayer = ({ reason }: Refusal) => reason === 'amount_too_small'

/** Checks where the payer wants the refund, and quotes it. Throws a Refusal for an address that cannot be paid. */
async function prepare(deps: Deps, link: StoredRefundLink, { assetId, address, quote: signed }: Claimed) {
  if (!isOpen(deps, link)) throw new Refusal('claim_ended')
  const { merchant_id: merchantId, trade_no } = link
  await throttle(deps, `refund claim ${link.id}`, tries)
  const asset = (await payable(deps, link)).find(({ id }) => id === assetId)
  if (!asset) throw new Refusal('currency_not_exist', { field: 'asset_id' })
  parseDestination(asset, address)
  const { to, warnings } = await requirePayableDestination(deps, merchantId, asset, address, true)
  const payment = (await readMerchantPayment(deps.pool, merchantId, trade_no))!
  const held = signed && quoteOf(deps, link, asset, signed)
  return { asset, to, warnings, payment, quote: held || (await quoteRefund(deps, payment, asset.id)) }
}

/** What a quote of this link is of, in its signature. */
const quoted = (link: StoredRefundLink, asset: Asset) => `refund ${link.id} ${asset.id}`

/** Returns a quote that was signed for this link; undefined for one that has expired, so that today's decides. */
function quoteOf(deps: Deps, link: StoredRefundLink, asset: Asset, signed: string): RefundQuote | undefined {
  try {
    const { fiatPrice = null, ...quote } = verifyPayoutQuote(deps, link.merchant_id, quoted(link, asset), signed)
    return { ...quote, fiatPrice, asset }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Quotes what would arrive at an address of the payer. */
export async function quoteRefundClaim(
  deps: Deps,
  claimed: Claimed & { from: Visitor; language: Language },
): Promise<RouteData<'POST /api/v1/public/refund-claim/quote'>> {
  const link = await open(deps, claimed.token, claimed.from)
  const { asset, to, payment, quote } = await prepare(deps, link, claimed)
  const merchant = await merchantById(deps.pool, link.merchant_id)
  if (!merchant) throw new Refusal('link_not_valid')
  const { terms, refused } = await checkClaim(deps, deps.pool, { link, merchant, payment, to, quote })
  const view = deps.chains.get(asset.chain_id) as Partial<Chain> | undefined
  const shown = refused && toPayer(refused)
  return {
    address: chainAdapters[asset.kind].address.show(to),
    gas: link.gas_payer === 'payer' ? formatDecimal(terms.gas, asset.decimals) : '0',
    receives: formatDecimal(terms.receives > 0n ? terms.receives : 0n, asset.decimals),
    is_contract: (await view?.batches?.isDeployed(to).catch(() => false)) ?? false,
    quote: signQuote(deps, link.merchant_id, quoted(link, asset), quote).quote,
    refused: shown ? formatRefusalText(shown.reason, claimed.language, shown.detail, shown.text) : '',
  }
}

/**
 * Claims the refund of a link: reserves the amount from the merchant's balance, and queues it to be sent after a delay
 * in which the merchant can stop it. A link is claimed once; the same claim again changes nothing.
 */
export async function claimRefund(deps: Deps, claimed: Claimed & { receives: string; from: Visitor }): Promise<void> {
  const { token, from } = claimed
  const link = await open(deps, token, from)
  if (link.state === 'claimed' && (await isSame(deps.pool, link, claimed))) return
  const prepared = await prepare(deps, link, claimed)
  const outcome = await tx(deps.pool, (_, uow) => takeLink(deps, uow, { link, claimed, prepared, from }))
  if (!outcome) return
  if (outcome.refused) throw await shortfall(deps, link, outcome.refused)
}

interface Taken {
  link: StoredRefundLink
  claimed: Claimed & { receives: string }
  prepared: Awaited<ReturnType<typeof prepare>>
  from: Visitor
}

/** Ends a link by its refund. Returns null if the same claim was faster, and the refusal of one that cannot be paid. */
async function takeLink(deps: Deps, uow: UnitOfWork, { link, claimed, prepared, from }: Taken) {
  const { c } = uow
  const { merchant_id: merchantId, trade_no: tradeNo, id: linkId } = link
  const { asset, to, warnings, quote } = prepared
  const merchant = await lockMerchant(c, merchantId)
  if (!merchant) throw new Refusal('link_not_valid')
  const payment = await lockMerchantPayment(c, merchantId, tradeNo)
  const now = deps.clock()
  const locked = await lockRefundLink(c, merchantId, linkId)
  // The same claim was faster.
  if (locked?.state === 'claimed' && (await isSame(c, locked, claimed))) return null
  if (!locked || !payment || !isOpen(deps, locked)) throw new Refusal('claim_ended')
  const change = await startRefund(c, payment, locked.reason, now)
  const { terms, value, senders, refused } = await checkClaim(deps, c, { link: locked, merchant, payment, to, quote })
  if (refused) return { refused }
  // guard: claim-as-shown
  const expected = parseDecimal(claimed.receives, asset.decimals)
  // An amount that the asset cannot have was shown for another one.
  if (expected === null || terms.receives < expected) throw new Refusal('claim_changed')
  const id = newTradeNo(now)
  await createRefund(deps, uow, {
    id,
    change,
    appid: locked.appid,
    asset,
    to,
    kind: locked.kind,
    basis: locked.basis,
    gasPayer: locked.gas_payer,
    terms,
    value,
    reason: locked.reason,
    requestedBy: '',
    counted: locked.amount,
    sendAfter: await timeToSend(deps, c, { link: locked, merchant, isPayer: senders.includes(to) }),
    byPasskey: locked.by_passkey,
    warnings,
    now,
  })
  // guard: claimed-once
  if ((await endOpenRefundLink(c, merchantId, linkId, 'claimed', id)) === 0) throw new Refusal('claim_ended')
  const params = { trade_no: tradeNo, amount: formatDecimal(terms.receives, asset.decimals), token: asset.symbol }
  const about = { merchant_id: merchantId, name: 'refund_claimed' as const, params }
  uow.add(events, [{ ...about, created_at: now }])
  const details = { trade_no: tradeNo, to: chainAdapters[asset.kind].address.show(to) }
  recordEvent(deps, uow, { merchantId, type: 'refund_claimed', from, params: { id }, details })
  return { refused: null }
}

/**
 * Moves a locked payment to "under refund", where its link has not. Throws a Refusal while nothing can be given back.
 */
async function startRefund(c: Queryable, payment: StoredPayment, reason: string, now: number): Promise<PaymentChange> {
  const unavailable = () => new Refusal('claim_unavailable')
  await assertNoDepositsInDoubt(c, payment.trade_no).catch(() => {
    throw unavailable()
  })
  if (await findPendingRefund(c, payment.merchant_id, payment.trade_no)) throw unavailable()
  const change = new PaymentChange(payment)
  if (change.payment.state === 'refunding') return change
  if (!acceptsPaymentEvent('refund_started', change.payment.state)) throw unavailable()
  change.reason = reason
  change.apply({ type: 'refund_started' }, now)
  return change
}

/**
 * Returns when a claimed refund is sent (Unix seconds, 0: at once). To an address from which nobody paid, a link that a
 * member without a second factor made on a page pays once it has existed for as long as new ways out wait: who reads
 * the mailbox can make and claim one.
 */
async function timeToSend(
  deps: Deps,
  c: Queryable,
  { link, merchant, isPayer }: { link: StoredRefundLink; merchant: Merchant; isPayer: boolean },
): Promise<number> {
  const now = deps.clock()
  const wait =
    isPayer || link.out_no !== null ? 0 : await readMailboxCoolDown(deps, c, merchant, link.made_by || merchant.id)
  const at = Math.max(now + deps.config.refundDelay, wait === 0 ? 0 : link.created_at + wait)
  return at > now ? at : 0
}

/** Whether the same claim was made already, by a second click or in a second tab. */
async function isSame(
  c: Queryable,
  { merchant_id, refund_id }: StoredRefundLink,
  { assetId, address }: Claimed,
): Promise<boolean> {
  const refund = await readRefund(c, merchant_id, refund_id!)
  return (
    refund?.asset_id === assetId &&
    refund.to_address === chainAdapters[refund.definition.kind].address.parse(address.trim())
  )
}

/** Notifies the merchant once a day why a payer cannot claim, and returns the refusal shown to the payer. */
async function shortfall(
  deps: Deps,
  { id, merchant_id, trade_no }: StoredRefundLink,
  refused: Refusal,
): Promise<Refusal> {
  const shown = toPayer(refused)
  if (isForPayer(refused) || (await countCall(deps, `refund claim told ${id}`, 86_400)) > 1) return shown
  const params = { trade_no, reason: refused.reason }
  const about = { merchant_id, name: 'refund_short' as const, params }
  await tx(deps.pool, async (_, uow) => {
    uow.add(events, [{ ...about, created_at: deps.clock() }])
  })
  return shown
}
