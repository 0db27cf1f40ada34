import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { mountClock } from './clock.ts'
import { type Explorer, mountExplorer } from './explorer.ts'
import type { Inbox } from './inbox.ts'
import { mountOidc } from './oidc.ts'
import { mountAccountKey, mountConsoleLink, mountPage } from './page.ts'
import { mountReverse } from './reverse.ts'
import { mountScenarios } from './scenarios/mount.ts'
import { mountWallet, type Wallet } from './wallet.ts'

/** What the routes of the sandbox act on. */
export interface SandboxParts {
  wallet: Wallet
  explorer: Explorer
  inbox: Inbox
  xpub: string
  console: () => FastifyInstance | undefined
}

/** Mounts the routes that only a sandbox has, on the port of merchants and payers. */
export async function mountSandbox(app: FastifyInstance, deps: Deps, parts: SandboxParts): Promise<void> {
  mountWallet(app, deps, parts.wallet)
  mountExplorer(app, parts.explorer)
  mountClock(app, deps)
  mountReverse(app, deps, parts.wallet)
  await mountScenarios(app, deps, parts.wallet)
  mountPage(app, deps, parts.inbox)
  mountAccountKey(app, parts.xpub)
  mountConsoleLink(app, parts.console)
  await mountOidc(app, deps)
}
