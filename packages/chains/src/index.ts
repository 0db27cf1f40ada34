export { type AddressForm, addressForm } from './address.ts'
export type {
  BlockId,
  BlockRef,
  Chain,
  Fees,
  Payout,
  RangeScan,
  Receipt,
  Scan,
  Sent,
  Transfer,
  TransferFilter,
} from './chain.ts'
export { type ChainDefinition, explorerUrl, mainnets, sandboxOf, type TokenDefinition } from './definitions.ts'
export { BlockGone, CallRefused, ChainUnavailable, isTrouble, TooMuch } from './errors.ts'
export { EvmChain } from './evm/chain.ts'
export type { NodesOptions } from './evm/nodes.ts'
export type { Endpoint } from './evm/rpc.ts'
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
