import type { JsonRpcCall } from './json-rpc.ts'

/** Bytes of an answer about one account, contract or number: a proof of many balances has half as much. */
const small = 2 ** 20
/** Bytes of a header with the hashes of its transactions: 50,000 of them. */
const header = 4 * 2 ** 20
/** Calls whose answers hold whole blocks or transactions, which are as large as somebody pays for. */
const whole = new Set([
  'eth_getBlockReceipts',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
  'eth_getLogs',
  '/wallet/getblockbyid',
  '/wallet/getblockbylimitnext',
  '/wallet/gettransactioninfobyblocknum',
  '/wallet/gettransactioninfobyid',
  '/walletsolidity/getnowblock',
  '/walletsolidity/gettransactionbyid',
  '/walletsolidity/gettransactioninfobyid',
])

/**
 * Returns how many bytes an answer may have by the call, or the path of an interface; a node that sends more is at
 * fault.
 */
export function computeMaxAnswerBytes({ method, params }: Pick<JsonRpcCall, 'method'> & Partial<JsonRpcCall>): number {
  if (whole.has(method)) return Number.POSITIVE_INFINITY
  if (method.startsWith('eth_getBlockBy')) return params?.[1] === true ? Number.POSITIVE_INFINITY : header
  return small
}
