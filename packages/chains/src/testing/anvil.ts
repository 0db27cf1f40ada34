import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A local chain of its own that mines only when told. */
export type Anvil = {
  url: string
  /** One JSON-RPC call. Rejects with what the node says. */
  call: <T = unknown>(method: string, ...params: unknown[]) => Promise<T>
  stop: () => Promise<void>
}

const START_MS = 15_000

/** Starts anvil on a free port of 127.0.0.1. */
export async function startAnvil(chainId = 31_337): Promise<Anvil> {
  const binary = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  const port = await freePort()
  const args = ['--port', String(port), '--chain-id', String(chainId), '--no-mining', '--silent', '--order', 'fifo']
  const child = spawn(binary, args, { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const call = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  for (const started = Date.now(); ; await sleep(50)) {
    const up = await call('eth_chainId').catch(() => null)
    if (up) return { url, call, stop }
    if (Date.now() - started > START_MS) {
      await stop()
      throw new Error('anvil did not start')
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
