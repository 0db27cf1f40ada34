import type { ChainDefinition } from '@coffer/chains'
import type { CallbackEvent, FundFlowType, Metadata, SelectableEvent } from '@coffer/contract'
import type { ApplicationRates } from '@coffer/contract/applications/routes.ts'
import type { ShopProtocol } from '@coffer/contract/codes/shops.ts'
import type { SecurityChoice, SecurityGroup } from '@coffer/contract/codes.ts'
import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { MerchantLogEntryType } from '@coffer/contract/merchants/entries.ts'
import type { riskLevels } from '@coffer/contract/merchants/risk-levels.ts'
import type { AnnouncementTexts } from '@coffer/contract/notifications/operator.ts'
import type { TwoOperatorCall } from '@coffer/contract/operator/decisions.ts'
import type { AlertKind } from '@coffer/contract/operator/names.ts'
import type { StoredPolicyRule } from '@coffer/contract/policies/routes.ts'
import type { RefundDecision } from '@coffer/contract/refunds/operator.ts'
import type {
  AddressLease,
  AmountReservation,
  ChainReadProgress,
  GasPayer,
  PaymentDeviation,
  ProofStatement,
  PublishedProof,
  RefundKind,
} from '@coffer/core'
import type { TravelRule } from './domains/address-book/store.ts'
import type { StoredInvoiceLine } from './domains/billing/bill.ts'
import type { BillingDetails } from './domains/billing/store.ts'
import type { CallbackReceiver } from './domains/callbacks/enqueue.ts'
import type { Ancestor } from './domains/chains/store.ts'
import type { PostingMemo, StoredPosting } from './domains/ledger/store.ts'
import type { TransactionIntent } from './domains/outgoing/store.ts'
import type { ShopOrder } from './domains/payments/shop-order.ts'
import type { PageDeposit } from './domains/payments/to-deposit-view.ts'
import type { Realm } from './domains/people/sessions.ts'
import type { StoredPolicyReport } from './domains/policies/format-policy-report.ts'
import type { LockedRate } from './domains/prices/locked-rates.ts'
import type { OwnRateFailure } from './domains/prices/own-rates.ts'
import type { ShareLeaf } from './domains/proof/liabilities.ts'
import type { AuditEntry } from './kit/audit.ts'
import type { PriceSymbol } from './kit/price-symbol.ts'
import type { SendMode } from './kit/quiet-hours.ts'
import type { OwnerKind, PayoutRelease } from './owner.ts'
import type { ReservePageRequest } from './signer/proof.ts'

/**
 * TypeScript types that PostgreSQL cannot describe. `<table>.<column>` is the type of a column, without null, in every
 * statement that reads or writes it. `<statement>.<column>` is the full type of one column of one statement.
 */
export interface ColumnTypes {
  'chains.kind': ChainDefinition['kind']
  'refund-decisions.event': RefundDecision
  'refund-decision-last.event': RefundDecision
  'refund-decisions-newest.event': RefundDecision
  'found_payouts.owner': Exclude<OwnerKind, 'sweep'>
  'assets.price_of': PriceSymbol
  'chains.definition': ChainDefinition
  'incidents.detail': Record<string, unknown>
  'merchant_entries.what': MerchantLogEntryType
  'merchant_entries.details': Record<string, string>
  'incident_entries.what': 'took' | 'noted' | 'ticked' | 'unticked' | 'closed'
  'incident-deep-reorg.detail': { ancestor: Ancestor }
  'merchants.address': { street?: string; city?: string; country?: string }
  'merchants.socials': { telegram?: string; twitter?: string; facebook?: string }
  'persons.security_switch': Partial<Record<SecurityGroup, SecurityChoice>>
  'merchants.risk_level': (typeof riskLevels)[number] | ''
  'merchants.currency_order': string[]
  'audit_log.outcome': AuditEntry['outcome']
  'audit_log.reason': AuditEntry['reason']
  'announcements.texts': AnnouncementTexts
  'passkeys.realm': Realm
  'alert_hooks.kinds': AlertKind
  'alert-hook.kinds': AlertKind[]
  'alert-hooks.kinds': AlertKind[]
  'operator_alert_settings.off': AlertKind
  'operator-alert-settings.off': AlertKind[]
  'operator_decisions.call': TwoOperatorCall
  'operator_decisions.what': Record<string, unknown>
  'operator_decisions.roles': OperatorRole
  'verification_codes.channel': 'email' | 'phone'
  'applications.ip_whitelist': string[]
  'applications.callbacks_muted': SelectableEvent[]
  'applications.rates': ApplicationRates
  'applications.embed_origins': string[]
  'own_rates.failure': OwnRateFailure
  'notifications.params': Record<string, string>
  'messages.params': Record<string, string>
  'proofs.pages': PublishedProof['pages']
  'proof_drafts.statement': ProofStatement
  'proof_drafts.pages': ReservePageRequest[]
  'proof_shares.leaves': ShareLeaf[]
  'messages.mode': SendMode
  'payout_releases.owner': OwnerKind
  'payout_releases.release': PayoutRelease
  'merchants.billing': BillingDetails
  'invoices.details': BillingDetails
  'invoices.lines': StoredInvoiceLine[]
  'ledger_groups.memo': PostingMemo
  'ledger_postings.kind': FundFlowType
  'ledger-group.postings': StoredPosting[]
  'deposit_addresses.purpose': 'lease' | 'fixed' | 'customer'
  'recharges-list.trade_no': string
  'recharges-list.definition': ChainDefinition
  'deposit_addresses.leased_for': 'native' | 'token'
  'callbacks.event': CallbackEvent
  'payments.exception': PaymentDeviation
  'payments.price': LockedRate
  'payments.metadata': Metadata
  'payments.shop': ShopOrder
  'payments.token_rates': Record<string, LockedRate>
  'payment_history.exception': PaymentDeviation
  'withdrawals.rate': LockedRate
  'withdrawals.policy': StoredPolicyReport[]
  'withdrawals.origin': 'page' | 'api' | 'return'
  'withdrawal_policies.rules': StoredPolicyRule[]
  'address_book.travel_rule': TravelRule
  'address-book-list.definition': ChainDefinition
  'withdrawal_approvals.decision': 'approved' | 'rejected'
  'withdrawal-lock.receivers': CallbackReceiver[]
  'withdrawal-lock-any.receivers': CallbackReceiver[]
  'withdrawals-lock.receivers': CallbackReceiver[]
  'withdrawal-read.receivers': CallbackReceiver[]
  'refund-lock.receivers': CallbackReceiver[]
  'refund-lock-any.receivers': CallbackReceiver[]
  'refund-any.receivers': CallbackReceiver[]
  'refunds-abnormal.receivers': CallbackReceiver[]
  'refund-decisions-newest.receivers': CallbackReceiver[]
  'refunds-lock.receivers': CallbackReceiver[]
  'refund-read.receivers': CallbackReceiver[]
  'chains-readings.reading': ChainReadProgress
  'payments-lock-expired.chains': ChainReadProgress[]
  'payments-credited-late.trade_no': string
  'payments-credited-late.deposits': number
  'deposits-of-payments.trade_no': string
  'payments-page.deposits': PageDeposit[] | null
  'payments-txids.trade_no': string
  'assets.hold': 'held' | 'refused'
  'deposits.kind': 'payment' | 'recharge'
  'deposits.state': 'seen' | 'credited' | 'dropped' | 'undone'
  'deposits-match.place': number
  'deposits-match.leases': AddressLease[] | null
  'deposits-match.reservations': AmountReservation[] | null
  'statistics-days.slot': number
  'webhook_endpoints.muted': SelectableEvent[]
  'shop_connections.callback_method': 'GET' | 'POST'
  'shop_connections.protocol': ShopProtocol
  'shop_refusals.detail': Record<Language, string>
  'switches.name':
    | 'withdrawals_stopped'
    | `withdrawals_stopped:${string}`
    | 'callbacks_paused'
    | 'sweeps_paused'
    | 'restored'
    | `restored:${string}`
    | `reread:${string}`
  'sweeps.state': 'funding' | 'funded' | 'sent' | 'swept' | 'failed'
  'wallets.role': 'hot' | 'sweeper' | 'deposit'
  'outgoing.intent': TransactionIntent
  'outgoing.state': 'assigned' | 'sent' | 'in_block' | 'final' | 'void'
  'outgoing_attempts.kind': 'send' | 'replace' | 'cancel'
  'outgoing_items.owner': OwnerKind
  'assets-names.chain': string
  'internal_transfers.direction': 'in' | 'out'
  'transfers-list.chain': string
  'transfers-next.chain': string
  'refunds.kind': RefundKind
  'refunds.basis': 'token' | 'fiat'
  'refunds.gas_payer': GasPayer
  'refund_decisions.event': RefundDecision
  'refund_links.kind': RefundKind
  'refund_links.basis': 'token' | 'fiat'
  'refund_links.gas_payer': GasPayer
  'refund_links.state': 'open' | 'claimed' | 'canceled' | 'expired'
  'balances-read.chain': string
  'sandbox-payments.chain': string
  'addresses-awaiting.address': string
  'fund-flow-list.side': string
  'fund-flow-list.debit_part': string
  'fund-flow-list.credit_part': string
  'fund-flow-next.side': string
  'fund-flow-next.debit_part': string
  'fund-flow-next.credit_part': string
}
