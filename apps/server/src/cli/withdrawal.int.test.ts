import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from '../testing/money.ts'
import { withdrawalWorld } from '../testing/withdrawals.ts'
import { findCommand, runCommand } from './run.ts'

test('the operator lists, shows, approves, rejects and cancels withdrawals', async t => {
  const world = await withdrawalWorld(t, { config: { withdrawApprovalAbove: 50 } })
  const type = async (...words: string[]) => {
    const { code, text } = await runCommand(world.deps, findCommand(['withdrawal', ...words])!)
    return `${code} ${text}`
  }
  assert.equal(await type('list'), '0 No withdrawals.')
  const first = await world.withdraw('60')
  const second = await world.withdraw('70')
  const small = await world.withdraw('10')
  const listed = await type('list')
  assert.match(listed, new RegExp(`${first} +${world.merchant.mchid} +Auditing +60 USDT +Ethereum +0x0+bb`))
  assert.ok(!listed.includes(small))
  assert.match(await type('list', 'sending'), new RegExp(`${small} .*Transferring`))
  assert.match(await type('list', 'nonsense'), /^1 /)
  const shown = await type('show', first)
  assert.match(shown, /amount +60 USDT on Ethereum\n.*fee +0\.06\n/s)
  assert.match(shown, /approval +no +0 +50\n/)
  assert.match(shown, /requested +Auditing/)
  assert.match(await type('approve', first), /^0 .*queued/)
  assert.match(await type('reject', second, ''), /^1 .*\(reason\)/)
  assert.match(await type('reject', second, 'unknown', 'receiver'), /^0 /)
  assert.match(await type('cancel', small, 'on', 'request'), /^0 .*released/)
  assert.match(await type('approve', '1'), /^1 Withdrawal does not exist/)
  assert.match(await type('approve', second), /^1 .*no longer be changed/)
  assert.deepEqual(await world.balances(), ['940000000', '60000000'])
  const ended = await type('list', 'ended')
  assert.match(ended, /Audit rejected.*unknown receiver/)
  assert.match(ended, /Canceled.*on request/)
  await world.owner.query(`update withdrawals set txid = '0xabc' where id = $1`, [small])
  const found = async (text: string): Promise<string[]> => {
    const { text: json } = await runCommand(world.deps, findCommand(['call', 'GET', `search?text=${text}`])!)
    return JSON.parse(json).withdrawals.map((each: { id: string }) => each.id)
  }
  assert.deepEqual([await found(first), await found('ABC')], [[first], [small]])
  assert.deepEqual((await found(`0x${'0'.repeat(38)}bb`)).toSorted(), [first, second, small].toSorted())
  const entries = await rowsOf(world.owner, `select type from audit_log where type like 'withdrawal_%' order by seq`)
  assert.ok(entries.some(each => each.type === 'withdrawal_approved'))
})
