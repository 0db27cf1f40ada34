import type { Scope } from '@coffer/local/testing/postgres.ts'
import type { FastifyInstance } from 'fastify'
import { makeConsoleApp } from '../domains/console/app.ts'
import { login } from '../domains/identity/sign-in/login.ts'
import { makeSandboxInbox } from '../sandbox/inbox.ts'
import { mountSandbox } from '../sandbox/mount.ts'
import { mountSandboxConsoleSignIn } from '../sandbox/page.ts'
import type { SandboxWallet } from '../sandbox/wallet.ts'
import { makeApp } from '../serve.ts'
import type { TestDeps } from './deps.ts'
import { password, testApplication, testAuthenticator, testMerchant, visitor } from './merchants.ts'
import { testOperator } from './operators.ts'

/** A wallet without chains. */
const wallet: SandboxWallet = {
  spend: async () => ({ txid: `0x${'0'.repeat(64)}` }),
  mine: async () => {},
  reorg: async () => {},
  revert: async () => {},
  chainIds: [],
}

/** The server of a sandbox and its console, with all routes that either has, without listening. */
export async function everyDoor(scope: Scope, deps: TestDeps) {
  const operators = await makeConsoleApp(deps, async app => mountSandboxConsoleSignIn(app, deps))
  scope.after(() => operators.close())
  const explorer = { balances: async () => [], transaction: async () => undefined }
  const parts = { wallet, explorer, inbox: makeSandboxInbox(), xpub: 'xpub', console: () => operators }
  const app = await makeApp(deps, { extend: given => mountSandbox(given, deps, parts) })
  scope.after(() => app.close())
  await Promise.all([app.ready(), operators.ready()])
  return { app, operators, ports: { public: app, console: operators } satisfies Record<string, FastifyInstance> }
}

export type Identity = 'nobody' | 'merchant' | 'pending' | 'key' | 'operator'

/** The headers by which each identity calls, each of a merchant of its own. */
export async function identitiesOf(deps: TestDeps): Promise<Record<Identity, Record<string, string>>> {
  const merchant = await testMerchant(deps)
  const waiting = await testMerchant(deps)
  await testAuthenticator(deps, waiting.id)
  const { token: pending } = await login(deps, { email: waiting.email, password, from: visitor })
  const { key } = await testApplication(deps, merchant.id)
  const operator = await testOperator(deps, 'owner')
  return {
    nobody: {},
    merchant: { 'x-token': merchant.token },
    pending: { 'x-token': pending },
    key: { authorization: `Bearer ${key}` },
    operator: { 'x-token': operator.token },
  }
}
