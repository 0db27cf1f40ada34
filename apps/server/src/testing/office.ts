import assert from 'node:assert/strict'
import { generateSync } from 'otplib'
import type { Deps } from '../deps.ts'
import { makeConsoleApp } from '../domains/console/app.ts'
import { readInvitation, redeemInvitation } from '../domains/operators/invitations.ts'
import { openOperatorSession } from '../domains/operators/sessions.ts'
import { operatorByEmail } from '../domains/operators/store.ts'
import { visitor as from, password } from './merchants.ts'
import { firstRow } from './money.ts'
import { withdrawalWorld } from './withdrawals.ts'

/** A world with the console, whose calls a test makes as different operators. */
export async function office(t: Parameters<typeof withdrawalWorld>[0], more: Partial<Deps['config']> = {}) {
  const config = { withdrawTwoAbove: 100, withdrawApprovalAbove: 10, operatorUrl: 'https://console.example', ...more }
  const world = await withdrawalWorld(t, { config })
  const { deps } = world
  const app = await makeConsoleApp(deps)
  const ask = async (token: string, key: string, id = '', body?: object) => {
    const [method = '', path = ''] = key.split(' ')
    const answer = await app.inject({
      method: method as 'GET',
      url: `/api/operator/v1/${path.replace(':id', id)}`,
      headers: { 'x-token': token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
    return answer.json()
  }
  const linkTo = (email: string) =>
    deps.mails
      .filter(each => each.to === email)
      .flatMap(each => /#invitation=(\S+)/.exec(each.text)?.[1] ?? [])
      .at(-1)
  /** Opens an account by the link that was mailed; returns a session that may make every call. */
  const activate = async (email: string) => {
    const invitation = linkTo(email)!
    const { secret, offer } = await readInvitation(deps, { invitation, from })
    const code = () => generateSync({ secret, epoch: deps.clock() })
    const { token } = await redeemInvitation(deps, { invitation, password, offer, code: code(), from })
    deps.pass(30)
    assert.equal((await ask(token, 'POST session/fresh', '', { google_code: code() })).code, 200)
    return token
  }
  return {
    ...world,
    app,
    ask,
    linkTo,
    activate,
    idOf: async (email: string) => (await operatorByEmail(deps.pool, email))!.id,
  }
}

/** Opens a session of an operator that may make every call. */
export const signedIn = async (deps: Deps, email: string) => {
  const { id } = (await operatorByEmail(deps.pool, email))!
  return { session: await openOperatorSession(deps, deps.pool, id, from, { freshFor: 3_600 }) }
}

export const resumeWallet = 'POST wallets/:id/resume'
export const reason = 'the key was replaced'

/** An office in which two operators decide above 100 USDT, and a wallet that was halted. */
export async function night(t: Parameters<typeof withdrawalWorld>[0]) {
  const w = await office(t, { twoPeopleAbove: 100 })
  t.after(() => w.app.close())
  await w.deps.owner.query(
    `insert into wallets (chain_id, address, role, next_nonce, created_at) values ('eth', '0x${'7'.repeat(40)}', 'hot', 0, 0)
     on conflict do nothing`,
  )
  const halt = () => w.deps.owner.query(`update wallets set halted = 'nonce_ahead | 9 | 5' where role = 'hot'`)
  const isHalted = async () =>
    (await firstRow(w.deps.owner, `select halted from wallets where role = 'hot'`)).halted !== null
  await halt()
  return { ...w, halt, isHalted, resume: (token: string) => w.ask(token, resumeWallet, 'eth', { reason }) }
}
