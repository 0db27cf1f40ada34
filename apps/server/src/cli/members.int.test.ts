import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAudit } from '../domains/audit/check-audit.ts'
import { authenticateSession } from '../domains/identity/sessions/sessions.ts'
import { type TestDeps, withDeps } from '../testing/deps.ts'
import { invitationIn, invite, joinByInvitation } from '../testing/invitations.ts'
import { testMember } from '../testing/members.ts'
import { testMerchant } from '../testing/merchants.ts'
import { rowsOf } from '../testing/money.ts'
import { ownedRows } from '../testing/owned-rows.ts'
import { findCommand, NotConfirmed, runCommand } from './run.ts'

async function type(deps: TestDeps, ...words: string[]): Promise<string> {
  const found = findCommand(words)
  assert.ok(found, `${words.join(' ')} is no command`)
  const { code, text } = await runCommand(deps, found)
  return `${code} ${text}`
}

test('lists, invites and removes people of a shop, tells its owners, and both logs have it', async t => {
  const deps = await withDeps(t)
  const shop = await testMerchant(deps, { name: 'Corner shop' })
  const clerk = await joinByInvitation(deps, shop, 'clerk')
  const email = 'help@example.com'
  const invited = await type(deps, 'member', 'invite', shop.mchid, 'Help@example.com', '--role', 'support')
  assert.match(invited, /^0 A link was sent to Help@example\.com\. It works once, until 2025-06-09/)
  assert.match(deps.mails.at(-1)!.text, /^You are invited to “Corner shop”/)
  assert.ok(invitationIn(deps, email))
  const listed = await type(deps, 'member', 'list', shop.mchid.toLowerCase())
  assert.match(listed, new RegExp(`${shop.email}\\s+owner\\s+active`))
  assert.match(listed, new RegExp(`${clerk.email}\\s+clerk\\s+active`))
  assert.match(listed, new RegExp(`${email}\\s+support\\s+invited`))
  assert.match(await type(deps, 'member', 'remove', shop.mchid, clerk.email), /^0 .* is removed/)
  await assert.rejects(authenticateSession(deps, { token: clerk.token, pending: false }), { reason: 'login_expired' })
  await deps.delivered()
  const subjects = deps.mails.filter(each => each.to === shop.email).map(each => each.subject)
  assert.deepEqual(subjects.slice(-2), [
    `The operator invited ${email} (Support)`,
    `The operator removed ${clerk.email}`,
  ])
  const entries = await rowsOf(
    deps.owner,
    `select type, subject, ip, person_id, session from audit_log where merchant_id = $1 order by seq desc limit 2`,
    [shop.id],
  )
  const nobody = { ip: '', person_id: '', session: '' }
  assert.deepEqual(entries, [
    { type: 'member_removed', subject: `${clerk.email} clerk`, ...nobody },
    { type: 'member_invited', subject: `${email} support`, ...nobody },
  ])
  const log = await type(deps, 'operator', 'log', shop.mchid)
  for (const action of ['member invite', 'member remove']) assert.match(log, new RegExp(action))
  assert.deepEqual((await checkAudit(deps)).faults, [])
})

test('the command line makes and removes no owner, and gives nobody money or keys', async t => {
  const deps = await withDeps(t)
  const shop = await testMerchant(deps)
  const other = await testMerchant(deps)
  const second = await testMember(deps, deps.owner, { merchantId: shop.id, role: 'owner' })
  const { email: pending } = await invite(deps, shop, 'finance')
  await deps.delivered()
  const before = [await ownedRows(deps.owner, shop.id), await ownedRows(deps.owner, other.id)]
  const mails = deps.mails.length
  const { mchid } = shop
  for (const role of ['owner', 'finance', 'developer', '', 'constructor'])
    assert.match(await type(deps, 'member', 'invite', mchid, 'new@example.com', '--role', role), /^1 Parameter error/)
  for (const words of [
    ['remove', mchid, shop.email],
    ['remove', mchid, second.email],
    ['remove', mchid, other.email],
    ['remove', 'M0', shop.email],
    ['invite', mchid, 'no address', '--role', 'clerk'],
    ['invite', mchid, second.email, '--role', 'clerk'],
    ['invite', mchid, pending, '--role', 'clerk'],
    ['invite', mchid, 'new@example.com', '--as', 'clerk'],
    ['list', 'M0'],
  ])
    assert.match(await type(deps, 'member', ...words), /^1 /, words.join(' '))
  const ask = findCommand(['member', 'remove', mchid, pending])!
  const { code } = await runCommand(deps, ask, {
    confirm: async () => {
      throw new NotConfirmed('no')
    },
  })
  assert.equal(code, 2)
  assert.deepEqual([await ownedRows(deps.owner, shop.id), await ownedRows(deps.owner, other.id)], before)
  await deps.delivered()
  assert.equal(deps.mails.length, mails)
})
