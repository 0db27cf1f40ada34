import { broadcast, ENERGY_PRICE, ENERGY_TOTALS, emulatedStateOf } from './facade-broadcast.ts'
import { type RawJsonObject, toTronHttpInfo, toTronRpcBlock, toTronRpcRecord } from './facade-shapes.ts'
import { findLogs, JsonRpcRefusal, type TronNodeView, toHexQuantity } from './facade-view.ts'

/** Answers a call of JSON-RPC. Throws a Refusal for what the interface does not have. */
export async function answerRpc(view: TronNodeView, method: string, params: unknown[]): Promise<unknown> {
  const { ask, block, blockById } = view
  switch (method) {
    case 'eth_getBlockByNumber': {
      const [which, full] = params as [string, boolean]
      const found = await block(which === 'latest' ? which : Number(which), full)
      return found && toTronRpcBlock(found)
    }
    case 'eth_getBlockByHash': {
      const found = await blockById(String(params[0]), params[1] as boolean)
      return found && toTronRpcBlock(found)
    }
    case 'eth_getLogs':
      return findLogs(view, params[0] as RawJsonObject)
    case 'eth_getTransactionReceipt':
    case 'eth_getTransactionByHash': {
      const found = await ask<RawJsonObject | null>(method, ...params)
      return found && toTronRpcRecord(found)
    }
    case 'eth_chainId':
      return ask(method)
    case 'eth_getBalance':
    case 'eth_getStorageAt':
    case 'eth_call': {
      if (params.at(-1) !== 'latest')
        throw new JsonRpcRefusal(-32602, 'QUANTITY not supported, just support TAG as latest')
      const answer = await ask<string | undefined>(method, ...params)
      if (answer === undefined) throw new JsonRpcRefusal(-32000, 'REVERT opcode executed')
      return answer
    }
    default:
      throw new JsonRpcRefusal(-32601, `the method ${method} does not exist/is not available`)
  }
}

type HttpCall = (view: TronNodeView, body: RawJsonObject, forgets: boolean) => unknown

const blockCalls: Record<string, HttpCall> = {
  '/wallet/getblockbyid': async (view, body) => showWhole(view, await view.blockById(`0x${body.value}`, true)),
  '/wallet/getblockbylimitnext': async (view, body) => {
    const start = body.startNum as number
    const end = body.endNum as number
    if (end - start > 100) return {}
    const numbers = Array.from({ length: end - start }, (_, i) => start + i)
    const found = (await Promise.all(numbers.map(number => view.block(number, true)))).filter(each => each !== null)
    return found.length > 0 ? { block: await Promise.all(found.map(each => showWhole(view, each))) } : {}
  },
  '/walletsolidity/getnowblock': async view => showWhole(view, await view.block('confirmed', true)),
}

const showWhole = async ({ shown }: TronNodeView, found: RawJsonObject | null) => (found ? shown(found) : {})

const transactionCalls: Record<string, HttpCall> = {
  '/wallet/gettransactioninfobyblocknum': async ({ block, receiptsOf }, body) => {
    const found = await block(body.num as number, true)
    const receipts = found ? await receiptsOf(found) : []
    return receipts.map((receipt, i) => toTronHttpInfo((found!.transactions as RawJsonObject[])[i]!, receipt))
  },
  '/wallet/gettransactioninfobyid': async ({ ask }, body) => {
    const receipt = await ask<RawJsonObject | null>('eth_getTransactionReceipt', `0x${body.value}`)
    return receipt ? toTronHttpInfo(await ask('eth_getTransactionByHash', `0x${body.value}`), receipt) : {}
  },
  '/wallet/broadcasthex': ({ target, ask }, body, forgets) => broadcast(target, ask, String(body.transaction), forgets),
  '/walletsolidity/gettransactionbyid': async (view, body) =>
    (await findConfirmed(view, body)) ? { txID: body.value } : {},
  '/walletsolidity/gettransactioninfobyid': async (view, body) => {
    const receipt = await findConfirmed(view, body)
    return receipt ? toTronHttpInfo(await view.ask('eth_getTransactionByHash', `0x${body.value}`), receipt) : {}
  },
}

/** The receipt of a transaction in a solidified block; null for others. */
async function findConfirmed({ ask, confirmed }: TronNodeView, body: RawJsonObject): Promise<RawJsonObject | null> {
  const receipt = await ask<RawJsonObject | null>('eth_getTransactionReceipt', `0x${body.value}`)
  return !receipt || Number(receipt.blockNumber) > (await confirmed()) ? null : receipt
}

const accountCalls: Record<string, HttpCall> = {
  '/wallet/getaccount': (view, body) => readAccount(view, body, 'latest'),
  '/walletsolidity/getaccount': async (view, body) => readAccount(view, body, toHexQuantity(await view.confirmed())),
  '/wallet/getchainparameters': () => ({
    chainParameter: [{ key: 'getEnergyFee', value: Number(ENERGY_PRICE) }],
  }),
  '/wallet/getaccountresource': ({ target }, body) => {
    const energy = Number(emulatedStateOf(target).energy.get(evmAddress(body.address)) ?? 0n)
    return { ...(energy > 0 && { EnergyLimit: energy + 1_000, EnergyUsed: 1_000 }), ...ENERGY_TOTALS }
  },
  '/wallet/getcandelegatedmaxsize': ({ target }, body) => {
    const most = Number(emulatedStateOf(target).lendable.get(evmAddress(body.owner_address)) ?? 0n)
    return most > 0 ? { max_size: most } : {}
  },
  '/wallet/triggerconstantcontract': async ({ ask }, body) => {
    const call = {
      from: evmAddress(body.owner_address),
      to: evmAddress(body.contract_address),
      data: `0x${body.data}`,
    }
    const used = await ask<string | undefined>('eth_estimateGas', call)
    const ret = used ? {} : { ret: 'FAILED' }
    const constant_result = [String((await ask<string | undefined>('eth_call', call, 'latest')) ?? '0x').slice(2)]
    return {
      result: { result: true },
      energy_used: Number(used ?? 0),
      constant_result,
      transaction: { ret: [ret] },
    }
  },
}

const evmAddress = (address: unknown) => `0x${String(address).slice(2)}`

async function readAccount({ ask }: TronNodeView, { address }: RawJsonObject, at: string) {
  const balance = BigInt(await ask<string>('eth_getBalance', evmAddress(address), at))
  return balance > 0n ? { address, balance: Number(balance) } : {}
}

const httpCalls: Record<string, HttpCall> = { ...blockCalls, ...transactionCalls, ...accountCalls }

/** Answers a call of the HTTP API. */
export const answerHttp = async (
  view: TronNodeView,
  path: string,
  body: RawJsonObject,
  forgets: boolean,
): Promise<unknown> => httpCalls[path]?.(view, body, forgets) ?? { Error: 'class java.lang.Exception : not found' }
