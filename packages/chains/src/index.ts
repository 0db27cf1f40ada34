export { type Action, MAX_BATCH, type Terms } from './action.ts'
export { AddressSet } from './address-set.ts'
export type {
  AccountChain,
  AccountState,
  Batches,
  BlockId,
  BlockRef,
  Chain,
  ChainView,
  Expiring,
  Fees,
  LoggedTransfer,
  Market,
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
  describedChain,
  ethereum,
  mainnets,
  polygon,
  type SiblingToken,
  sandboxOf,
  type TokenDefinition,
  tron,
} from './definitions.ts'
export { BlockOrphaned, CallRefused, ChainUnavailable, isChainError, TooLarge, TooMuchGas } from './errors.ts'
export { type Contract, deployer, disperse, sweeperOf } from './evm/contracts.ts'
export { bumpFees } from './evm/transfer.ts'
export {
  type BlockEvent,
  type ChainEvent,
  type DeepReorgEvent,
  Follower,
  type FollowerOptions,
  type Pause,
  type ReorgEvent,
} from './follower.ts'
export { explorerUrl } from './forms.ts'
export { isKind, isStoredAddress, type Kind, kindNames, kinds } from './kinds.ts'
export { isLost } from './lost.ts'
export type { Difference } from './nodes/nodes.ts'
export type { Endpoint } from './nodes/transport.ts'
