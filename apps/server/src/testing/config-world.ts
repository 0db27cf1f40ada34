import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { JsonObject } from '@coffer/chains/evm/encoding.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { Keys } from '../signer/keys.ts'
import { blockJson, word } from './simulation/sim-json.ts'

/** Keys whose public half the settings name. */
export const keys = new Keys(new Uint8Array(64).fill(1))

/** Starts a server on a free port, which it returns. */
async function portOf(t: Scope, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Starts a mail server without TLS. It refuses recipients at refused.example. */
export const mailServer = (t: Scope) =>
  portOf(
    t,
    createTcpServer(socket => {
      let isData = false
      let rest = ''
      socket.on('error', () => {}).write('220 mail.example\r\n')
      socket.on('data', data => {
        const lines = (rest + data).split('\r\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          if (isData && line !== '.') continue
          if (line.startsWith('QUIT')) return socket.end('221 bye\r\n')
          const refused = line.includes('refused.example')
          isData = line === 'DATA'
          socket.write(refused ? '550 no such mailbox\r\n' : isData ? '354 go on\r\n' : '250 ok\r\n')
        }
      })
    }),
  )

/** Starts a node of Ethereum at block 7. */
export const ethereumNode = (t: TestContext, chainId: number | string = 1, receipts: object[] = []) =>
  portOf(
    t,
    createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      const block = (number: number) => {
        const { header } = blockJson(
          { number, parentHash: word('0'), time: number, baseFee: 1n, stateRoot: word('0'), kind: 'evm' },
          [],
          0,
          word('1'),
        )
        return { ...header, transactions: [] }
      }
      const result = (method: string, [which]: [string]) => {
        if (method === 'eth_chainId') return `0x${chainId}`
        if (method === 'eth_getBlockReceipts') return receipts
        if (method === 'eth_config') return { next: { activationTime: 4_000_000_000 } }
        if (method === 'eth_getBlockByHash')
          return [5, 6, 7].map(block).find(each => (each as JsonObject).hash === which)
        return block(which === 'latest' ? 7 : Number(which))
      }
      const answer = (call: { id: number; method: string; params: [string] }) => ({
        jsonrpc: '2.0',
        id: call.id,
        result: result(call.method, call.params),
      })
      const calls = JSON.parse(body)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls)))
    }),
  )

export const nowhere = 'http://127.0.0.1:1'
/** Sources of prices that do not answer. */
export const noPrices = { binance: nowhere, okx: nowhere, coinbase: nowhere, kraken: nowhere, ecb: nowhere }

/** Complete settings of production, with these nodes of Ethereum, whose database and mail server do not answer. */
export async function settings(
  t: TestContext,
  nodes: string[],
): Promise<NodeJS.ProcessEnv & { COFFER_CHAINS: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-check-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const chains = join(folder, 'chains.json')
  writeFileSync(chains, JSON.stringify({ chains: [{ id: 'eth', nodes: nodes.map(url => ({ url })) }] }))
  return {
    COFFER_MODE: 'production',
    COFFER_DATA: folder,
    COFFER_PUBLIC_URL: 'https://pay.example',
    COFFER_SECRET: '5f0c1d7a9e3b48261f7d0c9a8b6e4d21',
    COFFER_XPUB_EVM: keys.xpub('evm'),
    COFFER_CHAINS: chains,
    COFFER_SMTP_URL: 'smtp://127.0.0.1:1',
    DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
  }
}
