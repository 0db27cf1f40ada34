import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { mountClock } from './clock.ts'
import { type BlockExplorer, mountBlockExplorer } from './explorer.ts'
import type { SandboxInbox } from './inbox.ts'
import { mountOidc } from './oidc.ts'
import { mountAccountKey, mountConsoleLink, mountSandboxPage } from './page.ts'
import { mountPaymentReorg } from './reverse.ts'
import { mountScenarios } from './scenarios/mount.ts'
import { mountSandboxWallet, type SandboxWallet } from './wallet.ts'

/** What the routes of the sandbox act on. */
export interface SandboxControls {
  wallet: SandboxWallet
  explorer: BlockExplorer
  inbox: SandboxInbox
  xpub: string
  console: () => FastifyInstance | undefined
}

/** Mounts the routes that only a sandbox has, on the port of merchants and payers. */
export async function mountSandbox(app: FastifyInstance, deps: Deps, parts: SandboxControls): Promise<void> {
  mountSandboxWallet(app, deps, parts.wallet)
  mountBlockExplorer(app, parts.explorer)
  mountClock(app, deps)
  mountPaymentReorg(app, deps, parts.wallet)
  await mountScenarios(app, deps, parts.wallet)
  mountSandboxPage(app, deps, parts.inbox)
  mountAccountKey(app, parts.xpub)
  mountConsoleLink(app, parts.console)
  await mountOidc(app, deps)
}
