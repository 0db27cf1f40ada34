import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { broadcast, ENERGY_PRICE, idsOf, SHARES, translated } from './facade-broadcast.ts'
import { blockShape, failedTransferLog, httpInfo, placed, type Raw } from './facade-shapes.ts'
import { sourceOf } from './facade-source.ts'

/** Emulates a TRON node, as documented, over a local EVM chain, with faults on request. For tests. */
export type TronFacade = {
  /** URL of the JSON-RPC interface. */
  url: string
  /** Base URL of the HTTP API. */
  http: string
  /** Blocks by which the node lags. */
  behind: number
  /** Blocks between its solidified block and its head. */
  unconfirmed: number
  /** Whether it accepts transactions and does nothing with them. */
  forgets: boolean
  /** Returns the id on TRON, with 0x, of a transaction or block of the local chain. */
  idOf: (local: string) => Promise<string>
  /** Breaks a whole HTTP exchange; returns whether it did. */
  breaks: (response: ServerResponse, serial: number) => boolean
  /** Changes a response; `what` is the method or the path. */
  alter: (what: string, answer: unknown) => unknown
  /** Ends its faults. */
  reset: () => void
  stop: () => Promise<void>
}

class Refusal extends Error {
  code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Starts the emulator over a local EVM chain at `target`. */
export async function startTronFacade(target: string): Promise<TronFacade> {
  const { ask, current, receiptsOf, shown } = sourceOf(target)
  const confirmed = async () => Math.max(0, (await current()).height - facade.behind - facade.unconfirmed)
  const hex = (n: number) => `0x${n.toString(16)}`
  const block = async (which: number | 'latest' | 'confirmed', full: boolean): Promise<Raw | null> => {
    const view = await current()
    const height = view.height - facade.behind
    if (which === 'confirmed') return view.block(Math.max(0, height - facade.unconfirmed), full)
    if (which === 'latest') return view.block(height, full)
    return which > height ? null : view.block(which, full)
  }
  const byId = async (id: string, full: boolean) => {
    const found = await ask<Raw | null>('eth_getBlockByHash', id, full)
    return found && block(Number(found.number), full).then(one => (one?.hash === found.hash ? one : null))
  }

  const logs = async (filter: Raw) => {
    const { blockHash, fromBlock, toBlock, ...rest } = filter
    if (blockHash && fromBlock) throw new Refusal(-32602, 'cannot specify both BlockHash and FromBlock/ToBlock')
    let from = Number(fromBlock)
    let to = Number(toBlock)
    if (blockHash) {
      const found = await byId(String(blockHash), false)
      if (!found) throw new Refusal(-32602, 'invalid blockHash')
      from = to = Number(found.number)
    }
    if (to - from >= 5_000) throw new Refusal(-32602, 'exceed max block range: 5000')
    const ofBlock = async (number: number): Promise<Raw[]> => {
      const found = await block(number, true)
      if (!found || (found.transactions as Raw[]).length === 0) return []
      const where = { fromBlock: hex(number), toBlock: hex(number), ...rest }
      const [logged, receipts] = await Promise.all([ask<Raw[]>('eth_getLogs', where), receiptsOf(found)])
      const left = (found.transactions as Raw[])
        .map((each, i) => (receipts[i]!.status === '0x0' ? failedTransferLog(each, 1_000 + i) : null))
        .filter(each => each !== null && (rest.address as string[]).includes(String(each.address)))
      return [...logged, ...(left as Raw[])]
    }
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
    const answers = (await Promise.all(numbers.map(ofBlock))).flat()
    return answers.map(placed)
  }

  const rpc = async (method: string, params: unknown[]): Promise<unknown> => {
    switch (method) {
      case 'eth_getBlockByNumber': {
        const [which, full] = params as [string, boolean]
        const found = await block(which === 'latest' ? which : Number(which), full)
        return found && blockShape(found)
      }
      case 'eth_getBlockByHash': {
        const found = await byId(String(params[0]), params[1] as boolean)
        return found && blockShape(found)
      }
      case 'eth_getLogs':
        return logs(params[0] as Raw)
      case 'eth_getTransactionReceipt':
      case 'eth_getTransactionByHash': {
        const found = await ask<Raw | null>(method, ...params)
        return found && placed(found)
      }
      case 'eth_chainId':
        return ask(method)
      case 'eth_getBalance':
      case 'eth_getStorageAt':
      case 'eth_call': {
        if (params.at(-1) !== 'latest') throw new Refusal(-32602, 'QUANTITY not supported, just support TAG as latest')
        const answer = await ask<string | undefined>(method, ...params)
        if (answer === undefined) throw new Refusal(-32000, 'REVERT opcode executed')
        return answer
      }
      default:
        throw new Refusal(-32601, `the method ${method} does not exist/is not available`)
    }
  }

  const http = async (path: string, body: Raw): Promise<unknown> => {
    const whole = async (found: Raw | null) => (found ? shown(found) : {})
    switch (path) {
      case '/wallet/getblockbyid':
        return whole(await byId(`0x${body.value}`, true))
      case '/wallet/getblockbylimitnext': {
        const start = body.startNum as number
        const end = body.endNum as number
        if (end - start > 100) return {}
        const numbers = Array.from({ length: end - start }, (_, i) => start + i)
        const found = (await Promise.all(numbers.map(number => block(number, true)))).filter(each => each !== null)
        return found.length > 0 ? { block: await Promise.all(found.map(whole)) } : {}
      }
      case '/walletsolidity/getnowblock':
        return whole(await block('confirmed', true))
      case '/wallet/getaccount':
      case '/walletsolidity/getaccount': {
        const at = path === '/wallet/getaccount' ? 'latest' : hex(await confirmed())
        const balance = BigInt(await ask<string>('eth_getBalance', `0x${String(body.address).slice(2)}`, at))
        return balance > 0n ? { address: body.address, balance: Number(balance) } : {}
      }
      case '/wallet/gettransactioninfobyblocknum': {
        const found = await block(body.num as number, true)
        const receipts = found ? await receiptsOf(found) : []
        return receipts.map((receipt, i) => httpInfo((found!.transactions as Raw[])[i]!, receipt))
      }
      case '/wallet/gettransactioninfobyid': {
        const receipt = await ask<Raw | null>('eth_getTransactionReceipt', `0x${body.value}`)
        return receipt ? httpInfo(await ask('eth_getTransactionByHash', `0x${body.value}`), receipt) : {}
      }
      case '/wallet/broadcasthex':
        return broadcast(target, ask, String(body.transaction), facade.forgets)
      case '/wallet/getchainparameters':
        return { chainParameter: [{ key: 'getEnergyFee', value: Number(ENERGY_PRICE) }] }
      case '/wallet/getaccountresource': {
        const address = `0x${String(body.address).slice(2)}`
        const energy = Number(idsOf(target).energy.get(address) ?? 0n)
        return { ...(energy > 0 && { EnergyLimit: energy + 1_000, EnergyUsed: 1_000 }), ...SHARES }
      }
      case '/wallet/getcandelegatedmaxsize': {
        const most = Number(idsOf(target).lendable.get(`0x${String(body.owner_address).slice(2)}`) ?? 0n)
        return most > 0 ? { max_size: most } : {}
      }
      case '/wallet/triggerconstantcontract': {
        const [from, to] = [body.owner_address, body.contract_address].map(each => `0x${String(each).slice(2)}`)
        const call = { from, to, data: `0x${body.data}` }
        const used = await ask<string | undefined>('eth_estimateGas', call)
        const ret = used ? {} : { ret: 'FAILED' }
        const constant_result = [String((await ask<string | undefined>('eth_call', call, 'latest')) ?? '0x').slice(2)]
        return {
          result: { result: true },
          energy_used: Number(used ?? 0),
          constant_result,
          transaction: { ret: [ret] },
        }
      }
      case '/walletsolidity/gettransactionbyid':
      case '/walletsolidity/gettransactioninfobyid': {
        const receipt = await ask<Raw | null>('eth_getTransactionReceipt', `0x${body.value}`)
        if (!receipt || Number(receipt.blockNumber) > (await confirmed())) return {}
        if (path.endsWith('/gettransactionbyid')) return { txID: body.value }
        return httpInfo(await ask('eth_getTransactionByHash', `0x${body.value}`), receipt)
      }
      default:
        return { Error: 'class java.lang.Exception : not found' }
    }
  }

  /** Makes all blocks known by their ids on TRON. */
  const learn = async () => {
    const view = await current()
    await shown((await view.block(view.height, true))!)
  }

  let serial = 0
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { tron, local } = idsOf(target)
    const asked = Buffer.concat(chunks).toString()
    if ((asked.match(/[0-9a-f]{64}/g) ?? []).some(id => !local.has(id))) await learn()
    const body = JSON.parse(translated(asked, local))
    const end = async (answer: unknown) => {
      await learn()
      response.end(translated(JSON.stringify(answer), tron))
    }
    if (facade.breaks(response, serial++)) return
    const one = async ({ id, method, params }: { id: number; method: string; params: unknown[] }) => {
      try {
        return { jsonrpc: '2.0', id, result: facade.alter(method, await rpc(method, params)) }
      } catch (error) {
        const { code = -32000, message } = error as Refusal
        return { jsonrpc: '2.0', id, error: { code, message, data: '{}' } }
      }
    }
    response.setHeader('content-type', 'application/json')
    if (request.url !== '/jsonrpc') {
      await end(facade.alter(request.url!, await http(request.url!, body)))
    } else await end(Array.isArray(body) ? await Promise.all(body.map(one)) : await one(body))
  }
  // A caller may have left while the chain below is stopped.
  const server = createServer((request, response) => respond(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const healthy = () => ({
    behind: 0,
    forgets: false,
    breaks: () => false,
    alter: (_: string, answer: unknown) => answer,
  })
  const facade: TronFacade = {
    url: `${base}/jsonrpc`,
    http: base,
    unconfirmed: 3,
    idOf: async local => {
      await learn()
      return `0x${idsOf(target).tron.get(local.slice(2)) ?? local.slice(2)}`
    },
    ...healthy(),
    reset: () => void Object.assign(facade, healthy()),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return facade
}
