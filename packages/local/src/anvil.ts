import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { files, forgetLoaded, keepSaved, rpc, saveState, statesToTry } from './anvil-state.ts'
import { type Child, type Ending, startChild } from './children.ts'
import { freePort } from './ports.ts'
import { folderProblem, Problem } from './problem.ts'
import { endRecorded, record } from './processes.ts'

/** A running local chain. */
export type Anvil = {
  chainId: number
  /** The JSON-RPC address, http://127.0.0.1:<port>; the same port speaks WebSocket. */
  url: string
  /** Resolves when the node has ended, for whatever reason. */
  ended: Promise<Ending>
  stop: () => Promise<void>
}

export type AnvilOptions = {
  /** The chain's own folder, made when missing; its state survives there. */
  folder: string
  chainId: number
  /** 0 or nothing: a free port. */
  port?: number
  /** Seconds between blocks; nothing: a block for each transaction and when asked. */
  blockTime?: number
  /** Unix seconds of the first block of a new chain; now when not given. */
  genesisTime?: number
  /** False for a chain that nobody needs again: nothing is saved. */
  keep?: boolean
  log?: (line: string) => void
}

/** How many blocks back a reorganisation can go. Each costs anvil the size of the whole state. */
const keptStates = 32

/** The exit code of anvil for arguments it cannot use, a torn state file among them. */
const badArguments = 2

/**
 * Starts an anvil chain that continues where it stopped: after a gentle end without any loss, after a kill with what was
 * saved after the last blocks. Ends a node that a killed parent left in the same folder.
 * Throws a Problem of one clear line when it cannot start.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { chainId, keep = true, log = () => {} } = options
  const folder = resolve(options.folder)
  try {
    mkdirSync(folder, { recursive: true })
    // Its gentle end writes the state down.
    await endRecorded(join(folder, 'process.json'), [['SIGTERM', 8_000]])
    const states = keep ? await statesToTry(folder) : []
    const { child, url } = await startFrom({ ...options, folder }, states, log)
    record(join(folder, 'process.json'), child.id)
    if (!keep) return { chainId, url, ended: child.ended, stop: child.stop }
    await saveState(url, folder)
    await forgetLoaded(folder)
    const saver = keepSaved(url, folder, error => log(`The state of chain ${chainId} was not saved: ${error}`))
    const stop = async () => {
      await saver.stop()
      await child.stop()
    }
    child.ended.then(() => saver.stop())
    return { chainId, url, ended: child.ended, stop }
  } catch (error) {
    throw folderProblem(error, folder)
  }
}

type Resolved = AnvilOptions & { folder: string }

/** Tries the states in turn. Without any it is a new chain; with some, never, since the database knows the old one. */
async function startFrom(options: Resolved, states: string[], log: (line: string) => void) {
  if (states.length === 0) return startNode(options, undefined)
  for (const state of states) {
    try {
      return await startNode(options, state)
    } catch (error) {
      if (!(error instanceof UnusableState)) throw error
      log(`${state} is damaged, going on with the state saved before it`)
    }
  }
  throw new Problem(
    `The chain in ${options.folder} cannot be read. Put back a copy of that folder, or start with an empty COFFER_DATA.`,
  )
}

class UnusableState extends Error {}

async function startNode(options: Resolved, state: string | undefined): Promise<{ child: Child; url: string }> {
  const { chainId, folder, blockTime, genesisTime, keep = true } = options
  // A port that was free may be taken a moment later: then ask for another.
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port || (await freePort())
    const url = `http://127.0.0.1:${port}`
    const args = ['--quiet', '--no-cors', '--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)]
    args.push('--prune-history', String(keptStates), '--cache-path', join(folder, 'cache'))
    if (genesisTime && state === undefined) args.push('--timestamp', String(genesisTime))
    if (blockTime) args.push('--block-time', String(blockTime))
    if (keep) args.push('--preserve-historical-states', '--dump-state', files(folder).exit)
    if (state) args.push('--load-state', state)
    const child = await startChild({
      name: `anvil ${chainId}`,
      command: anvilProgram(),
      args,
      cwd: folder,
      env: { HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
      stopWith: [['SIGTERM', 8_000]],
    })
    let output = ''
    child.process.stderr?.on('data', data => {
      output = `${output}${data}`.slice(-2_000)
    })
    const closed = new Promise(done => child.process.once('close', done))
    const ending = await Promise.race([child.ended, untilReady(child, url, chainId)])
    if (!ending) return { child, url }
    await closed
    if (ending.code === badArguments && state) throw new UnusableState(output)
    if (!output.includes('Address already in use')) {
      throw new Problem(
        `The local chain ${chainId} did not start: ${output.trim().split('\n')[0] || 'it gave no reason'}.`,
      )
    }
    if (options.port) throw new Problem(`Port ${port} for the local chain ${chainId} is in use. Stop what uses it.`)
    if (attempt === 5) throw new Problem(`No free port for the local chain ${chainId}.`)
  }
}

/** Gives undefined when the node answers with our chain id; stops asking when the node has ended. */
async function untilReady(child: Child, url: string, chainId: number): Promise<undefined> {
  // Whoever else listens on this port may never answer.
  const end = new AbortController()
  child.ended.then(() => end.abort())
  while (!end.signal.aborted) {
    const answer = await rpc(url, 'eth_chainId', [], end.signal).catch(() => undefined)
    if (Number(answer) === chainId) return
    await sleep(15)
  }
}

function anvilProgram(): string {
  try {
    const require = createRequire(import.meta.url)
    const main = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
    return join(dirname(main.resolve('@foundry-rs/anvil-linux-amd64/package.json')), 'bin', 'anvil')
  } catch {
    throw new Problem('No local chain for this machine (anvil comes for Linux x64 here). Configure real nodes instead.')
  }
}
