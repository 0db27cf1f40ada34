export { type AddressForm, addressForm } from './address.ts'
export { AddressSet } from './address-set.ts'
export type {
  BlockId,
  BlockRef,
  Chain,
  ChainView,
  Fees,
  Payout,
  RangeScan,
  Receipt,
  Scan,
  Sent,
  Told,
  Transfer,
  TransferFilter,
} from './chain.ts'
export {
  bnbSmartChain,
  type ChainDefinition,
  ethereum,
  explorerUrl,
  mainnets,
  polygon,
  sandboxOf,
  shownTxid,
  type TokenDefinition,
  tron,
} from './definitions.ts'
export { BlockGone, CallRefused, ChainUnavailable, isTrouble, TooMuch } from './errors.ts'
export { addressOfPublicKey } from './evm/address.ts'
export { EvmChain } from './evm/chain.ts'
export type { NodesOptions } from './evm/nodes.ts'
export type { Endpoint } from './evm/rpc.ts'
export { buildTransfer, bumpFees, signTransfer, type TransferRequest, txidOf } from './evm/transfer.ts'
export {
  type BlockEvent,
  type ChainEvent,
  type DeepReorgEvent,
  Follower,
  type FollowerOptions,
  type Pause,
  type ReorgEvent,
} from './follower.ts'
export { TronChain } from './tron/chain.ts'
