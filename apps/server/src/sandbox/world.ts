import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainDefinition } from '@coffer/chains'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigProblem } from '../config.ts'
import type { Deps } from '../deps.ts'
import { listEnabledAssets } from '../domains/chains/assets.ts'
import { runJobLoop } from '../kit/loop.ts'
import { makeLog } from '../make-deps.ts'
import { priceSources } from '../outside/prices/sources.ts'
import type { ExternalServices } from '../outside/world.ts'
import type { ServerExtension } from '../serve.ts'
import { SignerClient } from '../signer/client.ts'
import { prepareSandboxSigner } from '../signer/start.ts'
import { type SupervisedSigner, superviseSigner } from '../signer/supervise.ts'
import { deployBatchContracts, fundWallet, prepareSandboxChains } from './chains.ts'
import { makeBlockExplorer } from './explorer.ts'
import { makeSandboxInbox, type SandboxInbox } from './inbox.ts'
import { mountSandbox } from './mount.ts'
import { createSandboxSignIn } from './oidc.ts'
import { mountSandboxConsoleSignIn } from './page.ts'
import { startSandboxPriceFeed } from './prices.ts'
import { ensureTestShop } from './test-shop.ts'
import { makeSandboxWallet, mineForPending, type SandboxWallet } from './wallet.ts'

/** The sandbox's external services, with the controls of its chains and inbox. */
export interface Sandbox {
  world: ExternalServices & ServerExtension
  wallet: SandboxWallet
  inbox: SandboxInbox
}

export const makeSandboxServices = async (config: Config): Promise<ExternalServices & ServerExtension> =>
  (await makeSandbox(config, () => Math.floor(Date.now() / 1000))).world

/**
 * Starts local stand-ins for all external services. `COFFER_SANDBOX_CHAINS`, set by `npm start`, holds the URLs of the
 * two local nodes, separated by a comma, more nodes of a chain follow its first one after spaces, and
 * `COFFER_SANDBOX_KEY` is the test key. Prices and blocks follow `clock` (Unix seconds).
 */
export async function makeSandbox(config: Config, clock: () => number): Promise<Sandbox> {
  const nodes = (process.env.COFFER_SANDBOX_CHAINS ?? '')
    .split(',')
    .filter(Boolean)
    .map(each => each.split(' '))
  const urls = nodes.map(([first]) => first!)
  if (urls.length !== 2) throw new ConfigProblem('COFFER_SANDBOX_CHAINS must name two local chains: use npm start')
  const [local, feed] = await Promise.all([prepareSandboxChains(urls, config.publicUrl), startSandboxPriceFeed(clock)])
  const chains = local.map((chain, i) => ({ ...chain, nodes: nodes[i]!.map(url => ({ url })) }))
  const signer = await openSigner(
    config,
    chains.map(chain => chain.definition),
  )
  const [xpub, hot] = await Promise.all([signer.client.xpub('evm'), signer.client.hot('evm')])
  await Promise.all(
    urls.map(async url => {
      await deployBatchContracts(url, hot)
      await fundWallet(url, hot)
    }),
  )
  const inbox = makeSandboxInbox()
  const opened = local.map(({ definition }, i) => ({ definition, url: urls[i]! }))
  const wallet = makeSandboxWallet(opened, clock)
  let stopMiner = async () => {}
  let operators: FastifyInstance | undefined
  const world: ExternalServices & ServerExtension = {
    mail: inbox.mail,
    text: inbox.text,
    push: inbox.push,
    chat: inbox.chat,
    signIn: createSandboxSignIn(config),
    priceSources: priceSources(feed.at),
    chains,
    xpubs: { evm: xpub },
    async extend(app, deps) {
      await mountSandbox(app, deps, {
        wallet,
        explorer: makeBlockExplorer(opened),
        inbox,
        xpub,
        console: () => operators,
      })
      const key = process.env.COFFER_SANDBOX_KEY
      if (key) await ensureTestShop(deps, key)
      if (process.env.COFFER_SANDBOX_MINE !== 'manual') stopMiner = startMiner(deps, wallet)
    },
    async extendConsole(app, deps) {
      operators = app
      mountSandboxConsoleSignIn(app, deps)
    },
    async ready(deps) {
      for (let tries = 0; tries < 400 && (await listEnabledAssets(deps.pool)).some(each => !each.started); tries++)
        await sleep(50)
    },
    async stop() {
      await stopMiner()
      await Promise.all([signer.stop(), feed.stop()])
    },
  }
  return { world, wallet, inbox }
}

/** Starts the signer, or uses the one of several servers that COFFER_SIGNER_SOCKET names. */
async function openSigner(config: Config, chains: ChainDefinition[]): Promise<SupervisedSigner> {
  if (config.signerSocket) {
    const client = new SignerClient(config.signerSocket)
    return { client, stop: async () => client.close() }
  }
  const folder = join(config.dataDir, 'signer')
  await prepareSandboxSigner(folder, chains)
  return superviseSigner(folder, { log: makeLog(config) })
}

/**
 * Mines one block per second while a deposit or a payout waits for confirmations, because local chains do not advance
 * by themselves. With `COFFER_SANDBOX_MINE=manual` blocks are mined only by `POST /sandbox/mine`.
 */
function startMiner(deps: Deps, wallet: SandboxWallet): () => Promise<void> {
  const stop = new AbortController()
  const done = runJobLoop({
    name: 'sandbox miner',
    everyMs: 1_000,
    log: deps.log,
    live: deps.live,
    signal: stop.signal,
    work: async () => ((await mineForPending(deps, wallet)) ? 'soon' : false),
  })
  return async () => {
    stop.abort()
    await done
  }
}
