import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { suiteWorld, type World } from '../testing/evm-harness.ts'
import { startTronFacade, type TronFacade } from './facade.ts'

type Raw = Record<string, unknown>
const recorded = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8')).answer

const forms: [RegExp, string][] = [
  [/^0x[0-9a-f]{64}$/, '0x and 32 bytes'],
  [/^0x[0-9a-f]{40}$/, '0x and an address'],
  [/^0x[0-9a-f]{512}$/, '0x and a bloom'],
  [/^0x(0|[1-9a-f][0-9a-f]*)$/, 'quantity'],
  [/^0x([0-9a-f]{2})*$/, '0x and bytes'],
  [/^41[0-9a-f]{40}$/, '41 and an address'],
  [/^[0-9a-f]{64}$/, '32 bytes'],
  [/^([0-9a-f]{2})*$/, 'bytes'],
]

/** Lists each field of an answer with its form, elements of lists together. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [`${path}[]`, ...value.flatMap(each => fieldsOf(each, `${path}[]`))]
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, each]) => fieldsOf(each, `${path}.${name}`))
  if (typeof value !== 'string') return [`${path} ${value === null ? 'null' : typeof value}`]
  return [`${path} ${forms.find(([form]) => form.test(value))?.[1] ?? 'text'}`]
}

/** A call of a contract within a block: none of the published blocks has one. */
const neverPublished = /\.parameter\.value\.(contract_address|data) /

suite('the emulated TRON node', () => {
  const to = `0x${'0'.repeat(36)}fade`
  const it = suiteWorld(1, startTronFacade)

  const ask = async ({ url, http }: TronFacade, what: string, body: unknown): Promise<unknown> => {
    const isRpc = what.startsWith('eth_')
    const sent = isRpc ? { jsonrpc: '2.0', id: 1, method: what, params: body } : body
    const response = await fetch(isRpc ? url : http + what, { method: 'POST', body: JSON.stringify(sent) })
    const answer = (await response.json()) as Raw
    return isRpc ? answer.result : answer
  }

  /**
   * The transactions that are requested: a token transfer, a plain one and one that failed, each in a block of its own.
   */
  const paid = async ({ token, pay }: World) => [
    ...(await pay([[{ token, to, amount: 5n }]])),
    ...(await pay([[{ token: null, to, amount: 6n }]])),
    ...(await pay([[{ token, to, amount: 7n }]], 'reverts')),
  ]

  test('answers as real nodes have: each field is one of theirs, in the same form', async () => {
    const node = it.nodes[0]!
    const made = await paid(it.world)
    const [token, plain, failed] = (await Promise.all(made.map(node.idOf))) as [string, string, string]
    const receipt = (await ask(node, 'eth_getTransactionReceipt', [token])) as Raw
    const number = Number(receipt.blockNumber)
    const hash = String(receipt.blockHash)
    const height = String(receipt.blockNumber)
    const logs = {
      blockHash: hash,
      address: [it.world.token],
      topics: [(receipt.logs as { topics: string[] }[])[0]!.topics[0]],
    }
    const blocks = ['mainnet-block-30864544', 'mainnet-now-47964392'].map(recorded)
    const infos = ['mainnet-info-usdt', 'mainnet-info-failed', 'mainnet-info-plain', 'nile-info-66985120'].map(recorded)
    const header = ['nile-header-66984960', 'mainnet-header-39507235'].map(recorded)
    const receipts = ['nile-receipt-66985120', 'shasta-receipt-34533660']
      .map(recorded)
      .concat(recorded('shasta-receipts-5509393'))
    const logsOf = (each: unknown) => (each as Raw).logs
    const infosOfBlocks = ['mainnet-infos-30864600', 'nile-infos-66987565'].map(recorded)
    const calls: [what: string, body: unknown, published: unknown[]][] = [
      ['eth_chainId', [], [recorded('nile-chain-id')]],
      ['eth_getBlockByNumber', [height, false], header],
      ['eth_getBlockByHash', [hash, false], header],
      ['eth_getLogs', [logs], [recorded('nile-logs-66985120'), ...receipts.map(logsOf)]],
      ['eth_getTransactionReceipt', [token], receipts],
      ['eth_getTransactionReceipt', [plain], receipts],
      ['eth_getTransactionByHash', [plain], [recorded('shasta-transaction-34533660')]],
      ['eth_getBalance', [to, 'latest'], [recorded('nile-balance-dd791d6b')]],
      ['/wallet/getaccount', { address: `41${to.slice(2)}` }, [recorded('nile-account-dd791d6b')]],
      ['/wallet/getblockbyid', { value: hash.slice(2) }, blocks],
      ['/wallet/getblockbylimitnext', { startNum: number, endNum: number + 3 }, [{ block: blocks }]],
      ['/walletsolidity/getnowblock', {}, blocks],
    ]
    for (const txid of [token, plain, failed])
      calls.push(['/wallet/gettransactioninfobyid', { value: txid.slice(2) }, infos])
    for (const num of [number, number + 1, number + 2])
      calls.push(['/wallet/gettransactioninfobyblocknum', { num }, [...infosOfBlocks, infos]])
    for (const [what, body, published] of calls) {
      const known = new Set(published.flatMap(each => fieldsOf(each)))
      const own = fieldsOf(await ask(node, what, body))
      assert.ok(own.length > 0, what)
      assert.deepEqual(
        [...new Set(own)].filter(field => !known.has(field) && !neverPublished.test(field)),
        [],
        what,
      )
    }
  })
})
