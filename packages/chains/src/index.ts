export { type ChainAction, MAX_BATCH_SIZE, type TransactionTerms } from './action.ts'
export { AddressSet } from './address-set.ts'
export type {
  AccountChain,
  AccountState,
  BatchPayouts,
  BlockId,
  BlockRef,
  Chain,
  ChainView,
  ExpiringPayouts,
  FeeMarket,
  Fees,
  LoggedTransfer,
  Payment,
  Payout,
  Proof,
  RangeScan,
  Receipt,
  Scan,
  SendResult,
  Transfer,
  TransferFilter,
} from './chain.ts'
export { hasAccounts } from './chain.ts'
export {
  bnbSmartChain,
  type ChainDefinition,
  type ChainKind,
  customChainDefaults,
  defineSandboxChain,
  ethereum,
  mainnets,
  polygon,
  type SiblingToken,
  type TokenDefinition,
  tron,
} from './definitions.ts'
export { BlockOrphaned, CallRefused, ChainUnavailable, isChainError, ResponseTooLarge, TooMuchGas } from './errors.ts'
export { type DeployableContract, deployer, disperseContract, sweeperOf } from './evm/contracts.ts'
export { bumpFees } from './evm/transfer.ts'
export {
  type BlockEvent,
  type ChainEvent,
  type DeepReorgEvent,
  Follower,
  type FollowerOptions,
  type FollowerPause,
  type ReorgEvent,
} from './follower.ts'
export { explorerUrl } from './forms.ts'
export { type ChainAdapter, chainAdapters, chainKindNames, isChainKind, isStoredAddress } from './kinds.ts'
export { isLost } from './lost.ts'
export type { AnswerDifference } from './nodes/nodes.ts'
export type { Endpoint } from './nodes/transport.ts'
