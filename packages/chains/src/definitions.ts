/** Chain kinds; `kinds.ts` has an entry for each. Stored in the database: never rename one. */
export type ChainKind = 'evm' | 'tron'

export type TokenDefinition = {
  symbol: string
  /** Address of the contract in the stored form. */
  contract: string
  decimals: number
  /** Storage slot of the contract's mapping of balances, by which a node can prove them; absent if it is not known. */
  balanceSlot?: number
  /** Symbol of the token that it stands for, by whose price it is valued; absent if it stands for none. */
  of?: string
}

/**
 * A token that stands for one that chains list, but is another: bridged to its chain, where the listed one is issued.
 * No payment is requested in it; what is sent by mistake waits for an operator.
 */
export type SiblingToken = TokenDefinition & {
  of: string
  /** Who issues it: its bridge. */
  issuer: string
}

/** Everything that distinguishes chains of one kind. To add a chain of a known kind, add a definition. */
export type ChainDefinition = {
  /** Our own id, stored in the database: never change it. */
  id: string
  name: string
  kind: ChainKind
  net: 'mainnet' | 'sandbox'
  /** Name under which payers know the network: usually its token standard. */
  network: string
  chainId: number
  /** Confirmations after which a deposit is credited; the block of the deposit is the first. */
  confirmations: number
  /**
   * False if the roots of its blocks cannot be computed, or its headers have fields that Ethereum's do not: then most
   * nodes must agree on what a block holds before it is final. See `roots` of its kind.
   */
  roots?: boolean
  /**
   * Where `roots` is false: each block whose height is a multiple of this may hold what no root covers, and 0 says that
   * none may. Roots that can be computed from what one node sends prove all other blocks. Absent: not known, so that
   * most nodes must agree on each.
   */
  unrootedEvery?: number
  /**
   * When the last fork was that this version was written for (Unix seconds); absent if that is not known of the chain.
   */
  lastFork?: number
  /** Address of Multicall3, which reads many balances in one call; absent if it is not deployed. */
  multicall?: string
  /** Whether accounts can be delegated to contracts (EIP-7702), by which many addresses are swept at once. */
  delegates?: boolean
  /** Average seconds between blocks. */
  blockTime: number
  native: { symbol: string; decimals: number }
  tokens: TokenDefinition[]
  /** Tokens that payers take for the listed ones. */
  siblings?: SiblingToken[]
  /** Least amount of a transfer that is a deposit by itself, by symbol, as a decimal; none if absent. */
  minimum?: Record<string, string>
  /**
   * The least priority fee that a payout offers, such as what validators ask for, and the most that one first offers,
   * in gwei; by default 0.001 and 5. Twice the base fee may be offered always, and what is not mined is raised.
   */
  tip?: { least: number; most: number }
  /**
   * The most gas that one transfer of ours may take, for which its receiver or token decides; 250,000 if absent. Where
   * gas pays for data on layer 1, it is part of it.
   */
  mostGas?: number
  /**
   * What the chain charges a transaction beyond its gas, by the rules of a stack: `op` for data on layer 1 and for the
   * operator, as receipts report it and no root covers it. `most` is the most that one transaction of ours may be
   * charged, as a decimal of the native coin. Absent: nothing, and such fields of receipts are ignored.
   */
  surcharge?: { stack: 'op'; most: string }
  /** Whether gas pays for data on layer 1, as on Arbitrum: then it is part of estimates, and of quotes. */
  layer1Gas?: boolean
  /** URLs of the block explorer with `{}` in place of the id; null if there is none. */
  explorer: { tx: string; address: string; block: string } | null
}

/** Minimum of stablecoins. */
const minimum = { USDT: '0.01', USDC: '0.01' }

/** Multicall3 has the same address on every chain where it was deployed from its presigned transaction. */
const multicall = '0xca11bde05977b3631167028862be2a173976ca11'

export const ethereum: ChainDefinition = {
  id: 'eth',
  name: 'Ethereum',
  kind: 'evm',
  net: 'mainnet',
  network: 'ERC20',
  chainId: 1,
  // Blob parameters of January 2026 (EIP-7892), after Fusaka. A fork changes what blocks hold, or how it is hashed.
  lastFork: 1_767_747_671,
  multicall,
  delegates: true,
  confirmations: 12,
  blockTime: 12,
  native: { symbol: 'ETH', decimals: 18 },
  minimum: { ...minimum, ETH: '0.00001' },
  tokens: [
    { symbol: 'USDT', contract: '0xdac17f958d2ee523a2206206994597c13d831ec7', decimals: 6, balanceSlot: 2 },
    { symbol: 'USDC', contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', decimals: 6, balanceSlot: 9 },
  ],
  explorer: explorerAt('https://etherscan.io'),
}

export const bnbSmartChain: ChainDefinition = {
  id: 'bsc',
  name: 'BNB Smart Chain',
  kind: 'evm',
  net: 'mainnet',
  network: 'BEP20',
  chainId: 56,
  multicall,
  delegates: true,
  confirmations: 15,
  // Since the Fermi fork of January 2026.
  blockTime: 0.45,
  // Blocks have no base fee. Validators ask for 0.05 gwei.
  tip: { least: 0.05, most: 5 },
  native: { symbol: 'BNB', decimals: 18 },
  minimum: { ...minimum, BNB: '0.00002' },
  tokens: [
    { symbol: 'USDT', contract: '0x55d398326f99059ff775485246999027b3197955', decimals: 18 },
    { symbol: 'USDC', contract: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', decimals: 18 },
  ],
  explorer: explorerAt('https://bscscan.com'),
}

export const polygon: ChainDefinition = {
  id: 'polygon',
  name: 'Polygon',
  kind: 'evm',
  net: 'mainnet',
  network: 'Polygon',
  chainId: 137,
  multicall,
  delegates: true,
  // Its state sync added transactions that are in no root (before PIP-74), at the first block of a sprint.
  roots: false,
  unrootedEvery: 16,
  confirmations: 128,
  blockTime: 2,
  // Nodes take no transaction with less than 25 gwei.
  tip: { least: 25, most: 500 },
  native: { symbol: 'POL', decimals: 18 },
  minimum: { ...minimum, POL: '0.05' },
  tokens: [
    { symbol: 'USDT', contract: '0xc2132d05d31c914a87c6611c10748aeb04b58e8f', decimals: 6 },
    { symbol: 'USDC', contract: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', decimals: 6 },
  ],
  siblings: [
    {
      symbol: 'USDC.e',
      contract: '0x2791bca1f2de4661ed88a30c99a7a9449aa84174',
      decimals: 6,
      of: 'USDC',
      issuer: 'Polygon PoS Bridge',
    },
  ],
  explorer: explorerAt('https://polygonscan.com'),
}

/**
 * What an OP chain charges for data and its operator: some 100,000 times what receipts of 2026 show, and still little.
 */
const opSurcharge = { stack: 'op', most: '0.001' } as const

export const base: ChainDefinition = {
  id: 'base',
  name: 'Base',
  kind: 'evm',
  net: 'mainnet',
  network: 'Base',
  chainId: 8453,
  multicall,
  delegates: true,
  surcharge: opSurcharge,
  // Two minutes: until a block’s data is on layer 1, its sequencer could replace it.
  confirmations: 60,
  blockTime: 2,
  native: { symbol: 'ETH', decimals: 18 },
  minimum: { ...minimum, ETH: '0.00001' },
  // Tether issues nothing there.
  tokens: [{ symbol: 'USDC', contract: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', decimals: 6 }],
  siblings: [
    {
      symbol: 'USDbC',
      contract: '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca',
      decimals: 6,
      of: 'USDC',
      issuer: 'Base Bridge',
    },
    {
      symbol: 'USDT.e',
      contract: '0xfde4c96c8593536e31f229ea8f37b2ada2699bb2',
      decimals: 6,
      of: 'USDT',
      issuer: 'Base Bridge',
    },
  ],
  explorer: explorerAt('https://basescan.org'),
}

export const optimism: ChainDefinition = {
  id: 'optimism',
  name: 'OP Mainnet',
  kind: 'evm',
  net: 'mainnet',
  network: 'Optimism',
  chainId: 10,
  multicall,
  delegates: true,
  surcharge: opSurcharge,
  // As on Base.
  confirmations: 60,
  blockTime: 2,
  native: { symbol: 'ETH', decimals: 18 },
  minimum: { ...minimum, ETH: '0.00001' },
  // Its USDT is bridged.
  tokens: [{ symbol: 'USDC', contract: '0x0b2c639c533813f4aa9d7837caf62653d097ff85', decimals: 6 }],
  siblings: [
    {
      symbol: 'USDC.e',
      contract: '0x7f5c764cbc14f9669b88837ca1490cca17c31607',
      decimals: 6,
      of: 'USDC',
      issuer: 'Optimism Bridge',
    },
    {
      symbol: 'USDT.e',
      contract: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
      decimals: 6,
      of: 'USDT',
      issuer: 'Optimism Bridge',
    },
    {
      symbol: 'USDT0',
      contract: '0x01bff41798a0bcf287b996046ca68b395dbc1071',
      decimals: 6,
      of: 'USDT',
      issuer: 'USDT0 (LayerZero)',
    },
  ],
  explorer: explorerAt('https://optimistic.etherscan.io'),
}

export const arbitrum: ChainDefinition = {
  id: 'arbitrum',
  name: 'Arbitrum One',
  kind: 'evm',
  net: 'mainnet',
  network: 'Arbitrum',
  chainId: 42_161,
  multicall,
  // Data for layer 1 is charged as gas, so that the gas of a sweep of many must be estimated, which ours is not.
  delegates: false,
  // At its least base fee, 0.01 gwei, 0.00002 ETH.
  mostGas: 2_000_000,
  layer1Gas: true,
  // Nothing but the base fee is paid.
  tip: { least: 0, most: 0.1 },
  // Two minutes, as on Base.
  confirmations: 480,
  blockTime: 0.25,
  native: { symbol: 'ETH', decimals: 18 },
  minimum: { ...minimum, ETH: '0.00001' },
  tokens: [
    // Shown as USD₮0 since its contract was upgraded to be moved between chains.
    { symbol: 'USDT', contract: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9', decimals: 6 },
    { symbol: 'USDC', contract: '0xaf88d065e77c8cc2239327c5edb3a432268e5831', decimals: 6 },
  ],
  siblings: [
    {
      symbol: 'USDC.e',
      contract: '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8',
      decimals: 6,
      of: 'USDC',
      issuer: 'Arbitrum Bridge',
    },
  ],
  explorer: explorerAt('https://arbiscan.io'),
}

export const avalanche: ChainDefinition = {
  id: 'avalanche',
  name: 'Avalanche',
  kind: 'evm',
  net: 'mainnet',
  network: 'Avalanche C-Chain',
  chainId: 43_114,
  multicall,
  // Its headers have a field among Ethereum's (`extDataHash`) and more behind, for what moves between its chains, which
  // changes often.
  roots: false,
  unrootedEvery: 0,
  // Blocks are final once they are accepted.
  confirmations: 6,
  blockTime: 1.5,
  native: { symbol: 'AVAX', decimals: 18 },
  minimum: { ...minimum, AVAX: '0.001' },
  tokens: [
    { symbol: 'USDT', contract: '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7', decimals: 6 },
    { symbol: 'USDC', contract: '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', decimals: 6 },
  ],
  siblings: [
    {
      symbol: 'USDC.e',
      contract: '0xa7d7079b0fead91f3e65f86e8915cb59c1a4c664',
      decimals: 6,
      of: 'USDC',
      issuer: 'Avalanche Bridge',
    },
    {
      symbol: 'USDT.e',
      contract: '0xc7198437980c041c805a1edcba50c1ce5db95118',
      decimals: 6,
      of: 'USDT',
      issuer: 'Avalanche Bridge',
    },
  ],
  explorer: explorerAt('https://snowtrace.io'),
}

export const tron: ChainDefinition = {
  id: 'tron',
  name: 'TRON',
  kind: 'tron',
  net: 'mainnet',
  network: 'TRC20',
  chainId: 728_126_428,
  // A block is final once 19 of the 27 witnesses have built on it.
  confirmations: 20,
  blockTime: 3,
  native: { symbol: 'TRX', decimals: 6 },
  minimum: { ...minimum, TRX: '0.05' },
  roots: false,
  tokens: [{ symbol: 'USDT', contract: '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c', decimals: 6 }],
  explorer: {
    tx: 'https://tronscan.org/#/transaction/{}',
    address: 'https://tronscan.org/#/address/{}',
    block: 'https://tronscan.org/#/block/{}',
  },
}

/** The built-in mainnets, by id. */
export const mainnets: Record<string, ChainDefinition> = {
  eth: ethereum,
  bsc: bnbSmartChain,
  polygon,
  base,
  optimism,
  arbitrum,
  avalanche,
  tron,
}

/** Defaults for a chain that the operator defines from scratch. */
export const customChainDefaults = { kind: 'evm', net: 'mainnet', explorer: null } satisfies Partial<ChainDefinition>

/**
 * Defines a local chain that replaces a real one in the sandbox, under the same id.
 * @param like the real chain
 * @param local what differs from it
 */
export function defineSandboxChain(
  like: ChainDefinition,
  local: Pick<ChainDefinition, 'confirmations' | 'blockTime' | 'tokens' | 'siblings'> & {
    chainId: number
    multicall?: string
    /** The template of a page that shows a transaction. */
    transactionUrl?: string
  },
): ChainDefinition {
  const { multicall: _, minimum: __, siblings: ___, ...rest } = like
  const { transactionUrl: tx, ...settings } = local
  return { ...rest, ...settings, net: 'sandbox', explorer: tx ? { tx, address: '', block: '' } : null }
}

function explorerAt(site: string): NonNullable<ChainDefinition['explorer']> {
  return { tx: `${site}/tx/{}`, address: `${site}/address/{}`, block: `${site}/block/{}` }
}
