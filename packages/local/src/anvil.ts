import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeLoadedState, rpc, saveState, startAutosave, stateCandidates, stateFiles } from './anvil-state.ts'
import { type ProcessExit, type SupervisedChild, startChild } from './children.ts'
import { findFreePort } from './ports.ts'
import { folderProblem, OperatorProblem } from './problem.ts'
import { endRecordedProcess, listensOn, recordProcess } from './processes.ts'

/** A running local chain. */
export type Anvil = {
  chainId: number
  /** JSON-RPC URL, http://127.0.0.1:<port>. The same port serves WebSocket. */
  url: string
  /** Resolves when the node has exited, for whatever reason. */
  ended: Promise<ProcessExit>
  stop: () => Promise<void>
  /** Lets this process end before the node, which then ends too. */
  unref: () => void
}

export type AnvilOptions = {
  /** The chain's own folder, which keeps its state. Created if missing. */
  folder: string
  chainId: number
  /** 0 or absent: a free port. */
  port?: number
  /** Seconds between blocks. Absent: one block per transaction, and on request. */
  blockTime?: number
  /** Time of the first block of a new chain (Unix seconds); now by default. */
  genesisTime?: number
  /**
   * When the state is saved: false for a throwaway chain, `at exit` where a killed one is started again from nothing.
   */
  keep?: boolean | 'at exit'
  log?: (line: string) => void
}

/** Maximum depth of a reorganisation. Each block costs anvil a copy of the whole state. */
export const maxReorgBlocks = 32

/** Exit code of anvil for invalid arguments, which include an unreadable state file. */
const badArguments = 2

/**
 * Starts an anvil chain, which continues where it stopped: without loss after a clean exit, from the last saved state
 * after a kill. Ends an orphaned node on the same folder first.
 * @throws Problem when it cannot start
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { chainId, keep = true, log = () => {} } = options
  const folder = resolve(options.folder)
  try {
    mkdirSync(folder, { recursive: true })
    // A clean exit saves the state.
    await endRecordedProcess(join(folder, 'process.json'), [['SIGTERM', 8_000]])
    const states = keep ? await stateCandidates(folder) : []
    const { child, url } = await startFrom({ ...options, folder }, states, log)
    recordProcess(join(folder, 'process.json'), child.id)
    const { ended, unref } = child
    if (keep !== true) return { chainId, url, ended, stop: child.stop, unref }
    await saveState(url, folder)
    await removeLoadedState(folder)
    const saver = startAutosave(url, folder, error => log(`The state of chain ${chainId} was not saved: ${error}`))
    const stop = async () => {
      await saver.stop()
      await child.stop()
    }
    ended.then(() => saver.stop())
    return { chainId, url, ended, stop, unref }
  } catch (error) {
    throw folderProblem(error, folder)
  }
}

type Resolved = AnvilOptions & { folder: string }

/** Tries the states in turn. Starts a new chain only if there are none, because the database refers to the old one. */
async function startFrom(options: Resolved, states: string[], log: (line: string) => void) {
  if (states.length === 0) return startNode(options, undefined)
  for (const state of states) {
    try {
      return await startNode(options, state)
    } catch (error) {
      if (!(error instanceof UnusableState)) throw error
      log(`${state} is damaged; falling back to the previously saved state`)
    }
  }
  throw new OperatorProblem(
    `The chain in ${options.folder} cannot be read. Restore a copy of that folder, or start with an empty COFFER_DATA.`,
  )
}

class UnusableState extends Error {}

async function startNode(
  options: Resolved,
  state: string | undefined,
): Promise<{ child: SupervisedChild; url: string }> {
  const { chainId, folder, blockTime, genesisTime, keep = true } = options
  // A free port may be taken by another process meanwhile; then try another.
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port || (await findFreePort())
    const url = localUrl(port)
    const args = ['--quiet', '--no-cors', '--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)]
    args.push('--prune-history', String(maxReorgBlocks), '--cache-path', join(folder, 'cache'))
    if (genesisTime && state === undefined) args.push('--timestamp', String(genesisTime))
    if (blockTime) args.push('--block-time', String(blockTime))
    if (keep) args.push('--preserve-historical-states', '--dump-state', stateFiles(folder).exit)
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
    const ending = await Promise.race([child.ended, untilReady(child, port, chainId)])
    if (!ending) return { child, url }
    await closed
    if (ending.code === badArguments && state) throw new UnusableState(output)
    if (!output.includes('Address already in use')) {
      throw new OperatorProblem(
        `The local chain ${chainId} did not start: ${output.trim().split('\n')[0] || 'no reason given'}.`,
      )
    }
    if (options.port)
      throw new OperatorProblem(`Port ${port} for the local chain ${chainId} is in use. Stop the process that uses it.`)
    if (attempt === 5) throw new OperatorProblem(`No free port for the local chain ${chainId}.`)
  }
}

/** Resolves when the node answers with the chain id, or when it has exited. */
async function untilReady(child: SupervisedChild, port: number, chainId: number): Promise<undefined> {
  // Another process listening on this port may never answer, or be a node of the same chain id.
  const end = new AbortController()
  child.ended.then(() => end.abort())
  while (!end.signal.aborted) {
    const answer = await rpc(localUrl(port), 'eth_chainId', [], end.signal).catch(() => undefined)
    if (Number(answer) === chainId && listensOn(child.id.pid, port)) return
    await sleep(15)
  }
}

const localUrl = (port: number) => `http://127.0.0.1:${port}`

function anvilProgram(): string {
  try {
    const require = createRequire(import.meta.url)
    const main = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
    return join(dirname(main.resolve('@foundry-rs/anvil-linux-amd64/package.json')), 'bin', 'anvil')
  } catch {
    throw new OperatorProblem(
      'The local chain is not available for this machine (anvil is packaged for Linux x64 only). Configure real nodes instead.',
    )
  }
}
