export const idsByName: Record<string, string> = {
  "Ethereum": "eth",
  "BNB Smart Chain": "bsc",
  "Polygon": "polygon",
  "Base": "base",
  "OP Mainnet": "optimism",
  "Arbitrum One": "arbitrum",
  "Avalanche": "avalanche",
  "TRON": "tron"
}
