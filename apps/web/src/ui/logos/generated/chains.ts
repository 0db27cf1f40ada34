export const idsByName: Record<string, string> = {
  "Ethereum": "eth",
  "BNB Smart Chain": "bsc",
  "Polygon": "polygon",
  "TRON": "tron"
}
