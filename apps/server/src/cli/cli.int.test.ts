import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { merchantStatus, notificationType } from '@coffer/contract'
import { insertIncidents, setSwitch } from '../domains/chains/store.ts'
import { authenticateSession } from '../domains/identity/sessions/sessions.ts'
import { changeMerchant, changePerson, merchantById } from '../domains/merchants/store.ts'
import { openSeedFile } from '../signer/seed-file.ts'
import { type TestDeps, withDeps } from '../testing/deps.ts'
import { testMerchant } from '../testing/merchants.ts'
import { findCommand, formatCommandUsage, NotConfirmed, runCommand } from './run.ts'

/** Runs a command. Returns its exit code and output. */
async function type(deps: TestDeps, ...words: string[]): Promise<string> {
  const found = findCommand(words)
  assert.ok(found, `${words.join(' ')} is no command`)
  const { code, text } = await runCommand(deps, found)
  return `${code} ${text}`
}

test('reviews, freezes and supports a merchant by mchid', async t => {
  const deps = await withDeps(t)
  const { id, mchid, email, token } = await testMerchant(deps, { status: merchantStatus.primary_audit, name: '安的店' })
  const done = await testMerchant(deps)
  assert.match(await type(deps, 'merchant', 'list'), new RegExp(`${done.mchid}\\s+approved`))
  const waiting = await type(deps, 'merchant', 'list', 'waiting')
  assert.match(waiting, new RegExp(`${mchid}\\s+primary audit\\s+${email}\\s+安的店\\s+2025-06-02 10:00:00 UTC`))
  assert.ok(!waiting.includes(done.mchid))
  assert.match(await type(deps, 'merchant', 'advance', mchid), /^0 .* is in the advanced audit/)
  assert.equal(await type(deps, 'merchant', 'refuse', mchid, ' '), '1 This field is required (reason)')
  assert.match(await type(deps, 'merchant', 'refuse', mchid, 'No', 'website'), /^0 .* is refused/)
  assert.equal((await merchantById(deps.pool, id))?.audit_reason, 'No website')
  assert.match(await type(deps, 'merchant', 'approve', mchid), /^0 .* is approved/)
  assert.equal(await type(deps, 'merchant', 'approve', mchid), '1 Account opened')
  assert.match(await type(deps, 'merchant', 'freeze', mchid), /^0 .* is frozen/)
  assert.match(await type(deps, 'merchant', 'list'), new RegExp(`${mchid}\\s+frozen`))
  await assert.rejects(authenticateSession(deps, { token, pending: false }), { reason: 'session_frozen' })
  await type(deps, 'merchant', 'unfreeze', mchid, 'documents seen')
  assert.equal((await merchantById(deps.pool, id))?.frozen, false)
  assert.equal(await type(deps, 'merchant', 'remove-authenticator', mchid), '1 Not bound yet')
  await changePerson(deps.owner, id, { authenticator_secret: 'sealed' })
  assert.match(await type(deps, 'merchant', 'remove-authenticator', mchid), /^0 .* is to lose its authenticator/)
  assert.match(await type(deps, 'merchant', 'confirm-removal', mchid), /^1 Another person/)
  assert.match(await type(deps, 'merchant', 'cancel-removal', mchid), /^0 .* is to keep its authenticator/)
  assert.match(await type(deps, 'merchant', 'confirm-removal', mchid), /^1 No removal/)
  assert.equal(await type(deps, 'merchant', 'freeze', 'M0'), '1 Merchant does not exist (M0)')
  assert.equal(await type(deps, 'merchant', 'list', 'constructor'), '1 Parameter error (constructor)')
  assert.match(await type(deps, 'merchant', 'fee', mchid, '0.3%', 'agreed in May'), /^0 The fees of .* are set/)
  assert.match(await type(deps, 'merchant', 'fee', mchid, '0.35%', '0.2%', 'agreed in June'), /^0/)
  assert.equal(
    await type(deps, 'merchant', 'fee', mchid, '0.35%', '0.2%'),
    '1 Say why in at least 8 characters: others decide by it (reason)',
  )
  assert.match(await type(deps, 'merchant', 'fee', mchid, '3', 'agreed in July'), /^1 Parameter error .*0\.45%/)
  const shown = await type(deps, 'merchant', 'show', mchid)
  assert.match(shown, /\nfee +0\.35%\nwithdraw fee +0\.20%\nwithdraw single max +[\d,]+ USDT \(default\)/)
  assert.match(await type(deps, 'operator', 'log', mchid), /agreed in June/)
})

test('prints answers for scripts, and asks before what undoes something', async t => {
  const deps = await withDeps(t)
  const { mchid, email } = await testMerchant(deps)
  const json = async (...words: string[]) => {
    const { code, text } = await runCommand(deps, findCommand(words)!, { json: true })
    return { code, data: JSON.parse(text) }
  }
  const listed = await json('merchant', 'list')
  assert.deepEqual([listed.code, listed.data.list[0].mchid], [0, mchid])
  assert.equal((await json('merchant', 'show', mchid)).data.email, email)
  const unknown = { error: 'merchant_not_exist', message: 'Merchant does not exist (M0)' }
  assert.deepEqual(await json('merchant', 'show', 'M0'), { code: 1, data: unknown })
  assert.equal((await json('status')).data.accounted.state, 'accounted')
  assert.match(
    await type(deps, 'status'),
    /^0 Is money safe\?\n {2}All money is accounted for, .*\n\nWhat is stuck\?\n {2}Nothing\./,
  )

  await type(deps, 'merchant', 'freeze', mchid)
  const isFrozen = async () => (await json('merchant', 'show', mchid)).data.frozen
  const questions: string[] = []
  const no = async (question: string) => {
    questions.push(question)
    throw new NotConfirmed('Nothing was done.')
  }
  const unfreeze = findCommand(['merchant', 'unfreeze', mchid, 'documents', 'seen'])!
  assert.deepEqual(await runCommand(deps, unfreeze, { confirm: no }), { code: 2, text: 'Nothing was done.' })
  assert.deepEqual(questions, [`Let ${mchid} (${email}) sign in and withdraw again?`])
  assert.equal(await isFrozen(), true)
  assert.equal((await runCommand(deps, unfreeze)).code, 0)
  assert.equal(await isFrozen(), false)
})

test('keeps a merchant’s name from forging a row of the list', async t => {
  const deps = await withDeps(t)
  const name = 'x\nM1234567890  primary audit  boss@example.com\t  Shop\u2028y'
  const { mchid, email } = await testMerchant(deps, { status: merchantStatus.primary_audit, name })
  const lines = (await type(deps, 'merchant', 'list', 'waiting')).split(/[\n\u2028]/)
  assert.equal(lines.length, 2)
  assert.match(lines[1] ?? '', new RegExp(`^${mchid}  primary audit  ${email}  x M1234567890 primary audit boss`))
})

test('finds no command for unknown words or missing arguments', () => {
  for (const words of [
    [],
    ['merchant'],
    ['merchant', 'freeze'],
    ['merchant', 'refuse', 'M1'],
    ['announce', 'only'],
    ['drop'],
  ])
    assert.equal(findCommand(words), undefined, words.join(' '))
  assert.match(formatCommandUsage(['merchant']), /merchant refuse <mchid> <reason>/)
})

test('announces to every merchant in both languages, and refuses an empty text', async t => {
  const deps = await withDeps(t)
  const merchants = [await testMerchant(deps), await testMerchant(deps)]
  const closed = await testMerchant(deps)
  await changeMerchant(deps.pool, closed.id, { deleted_at: 1 })
  const answer = await type(deps, 'announce', 'Maintenance', 'On Sunday', '维护', '周日', '--until', '2200-01-01')
  assert.equal(answer, '1 An announcement ends in the future, within a year (ends_time)')
  const [, id = ''] = /^0 Announced to 2 merchants \(([\w-]+)\)\.$/.exec(
    await type(deps, 'announce', 'Maintenance', 'On Sunday', '维护', '周日'),
  )!
  const { rows } = await deps.owner.query(
    `select merchant_id, types, params from notifications where types = ${notificationType.announcement}`,
  )
  assert.deepEqual(rows.map(row => row.merchant_id).sort(), merchants.map(merchant => merchant.id).sort())
  const params = { title_en: 'Maintenance', title_zh: '维护', content_en: 'On Sunday', content_zh: '周日' }
  assert.deepEqual(rows[0], { ...rows[0], params })
  for (const words of [
    ['', 'x'],
    ['x', ' '],
    ['x\u202e', 'y'],
    ['x'.repeat(101), 'y'],
    ['x', 'y', '--until', 'soon'],
    ['x', 'y', '--to', 'M0'],
    ['x', 'y', '--for', 'M0'],
  ])
    assert.match(await type(deps, 'announce', ...words), /^1 /)
  const { mchid } = (await merchantById(deps.pool, merchants[0]!.id))!
  assert.match(await type(deps, 'announce', 'For you', 'Only', '--to', mchid), /^0 Announced to 1 merchant /)
  assert.match(await type(deps, 'announcement', 'list'), new RegExp(`${id}  running .+ 2 \\(all\\) +Maintenance`))
  assert.match(await type(deps, 'announcement', 'withdraw', id), /^0 /)
  assert.match(await type(deps, 'announcement', 'list'), new RegExp(`${id}  withdrawn`))
  assert.match(await type(deps, 'announcement', 'withdraw', 'x'), /^1 Announcement does not exist/)
})

test('shows chains, incidents and stopped withdrawals, and resumes withdrawals', async t => {
  const deps = await withDeps(t)
  await deps.owner.query(
    `insert into chains (id, kind, definition, last_number, head_number, final_number, read_at, halted)
     values ('a', 'evm', '{"name": "Chain A"}', 120, 121, 109, $1, null), ('b', 'evm', '{}', null, 0, -1, 0, 'deep reorg')`,
    [deps.clock() - 5],
  )
  await deps.owner.query(`insert into assets (id, chain_id, symbol, decimals) values ('a:USDT', 'a', 'USDT', 6)`)
  const detail = { missing: '7', asset_id: 'a:USDT', ledger: '7500000', held: '0', found: '500000' }
  await insertIncidents(deps.pool, [{ id: 'i1', kind: 'shortage', chain_id: 'a', detail, created_at: deps.clock() }])
  await setSwitch(deps.pool, 'withdrawals_stopped', 'a/usdt: too little', deps.clock())
  const status = await type(deps, 'chain', 'status')
  assert.match(status, /a +Chain A +120 +121 +109 +5 s ago +up to date/)
  assert.match(status, /b +b +- +0 +0 +never +deep reorg/)
  assert.match(status, /stopped since 2025-06-02 10:00:00 UTC: a\/usdt: too little/)
  assert.match(status, /Incident i1: shortage on a, 2025.*UTC\n {2}missing: 7 USDT\n {2}ledger: 7.5 USDT\n/)
  assert.match(await type(deps, 'incident', 'list'), /i1 +shortage +a +2025-06-02 10:00:00 UTC +nobody/)
  assert.match(await type(deps, 'incident', 'list', 'open', '7500000'), /i1 +shortage/)
  assert.equal(await type(deps, 'incident', 'list', 'closed'), '0 No incident is closed.')
  assert.match(await type(deps, 'incident', 'list', 'shut'), /^1 Parameter error \(shut\)/)
  await type(deps, 'call', 'POST', 'incidents/i1/tick', '{"step": "halt_wallet", "done": true}')
  await type(deps, 'call', 'POST', 'incidents/i1/note', '{"text": "found the transaction"}')
  const shown = await type(deps, 'incident', 'show', 'i1')
  assert.match(shown, /kind +shortage\n.*\n {2}missing: 7 USDT\n {2}ledger: 7.5 USDT\n {2}found: 0.5 USDT\n/s)
  assert.match(
    shown,
    /money-missing.md:\n {2}\[ ] find transfer\n {2}\[x] halt wallet, .*noted +found the transaction$/s,
  )
  assert.match(await type(deps, 'incident', 'show', 'i0'), /^1 There is no incident with this id/)
  assert.match(
    await type(deps, 'status'),
    /The withdrawals are paused, since 0 s ago: a\/usdt: too little .*Incident i1: shortage on a, 0 s ago/s,
  )
  assert.match(await type(deps, 'withdrawals', 'resume', 'it was repaid'), /^0 Withdrawals are resumed/)
  assert.equal(await type(deps, 'withdrawals', 'resume', 'it was repaid'), '0 Withdrawals are not stopped.')
  assert.equal(
    await type(deps, 'chain', 'resume', 'a', 'the nodes were wrong'),
    '1 No chain with this id is halted by a deep reorg; see "chain status".',
  )
  assert.equal(await type(deps, 'deposit', 'undo', 'none', 'left the chain'), '1 Non-existent transaction')
  assert.match(await type(deps, 'chain', 'reread', 'a', '109'), /^0 a will be read again from block 109 to/)
  await type(deps, 'chain', 'reread', 'a', '7')
  await type(deps, 'chain', 'reread', 'a', '90')
  const { rows } = await deps.owner.query('select id, reread_from from chains order by id')
  assert.deepEqual(rows, [
    { id: 'a', reread_from: 7 },
    { id: 'b', reread_from: null },
  ])
  for (const [chain, block] of [
    ['a', '110'],
    ['a', '-1'],
    ['a', 'x'],
    ['b', '0'],
    ['c', '1'],
  ] as const)
    assert.equal(
      await type(deps, 'chain', 'reread', chain, block),
      '1 Parameter error (chain or block)',
      `${chain} ${block}`,
    )
})

test('shows why a chain is delayed', async t => {
  const deps = await withDeps(t)
  const now = deps.clock()
  const put = (id: string, net: string, head: number, time: number, readAt: number) =>
    deps.owner.query(
      `insert into chains (id, kind, definition, last_number, last_time, head_number, read_at)
       values ($1, 'evm', $2, 100, $4, $3, $5)`,
      [id, { net, blockTime: 12 }, head, time, readAt],
    )
  await put('well', 'mainnet', 101, now - 12, now)
  await put('local', 'sandbox', 100, now - 9_000, now)
  await put('silent', 'mainnet', 101, now - 120, now - 120)
  await put('unread', 'mainnet', 150, now - 600, now)
  await put('still', 'mainnet', 100, now - 900, now)
  const status = await type(deps, 'chain', 'status')
  const state = (id: string) => new RegExp(`^${id} .* ago +(.*)$`, 'm').exec(status.slice(2))?.[1]
  assert.deepEqual(['well', 'local', 'silent', 'unread', 'still'].map(state), [
    'up to date',
    'up to date',
    'delayed: nodes unreachable, behind or in disagreement',
    'delayed: catching up',
    'delayed: no new block from its nodes',
  ])
})

test('reports a difference between ledger and chain until its incident is closed', async t => {
  const deps = await withDeps(t)
  await deps.owner.query(`insert into chains (id, kind, definition) values ('a', 'evm', '{}')`)
  const incident = { chain_id: 'a', detail: { asset_id: 'a:USDT', ledger: '7' }, created_at: deps.clock() }
  await insertIncidents(deps.pool, [
    { ...incident, id: 'i1', kind: 'shortage' },
    { ...incident, id: 'i2', kind: 'deep_reorg' },
    // Many older incidents must not hide it.
    ...Array.from({ length: 100 }, (_, i) => ({ ...incident, id: `old ${i}`, kind: 'deep_reorg', created_at: 1 })),
  ])
  const found = await type(deps, 'ledger', 'check')
  assert.match(
    found,
    /^1 Ledger and chain differ\.\nIncident i1: shortage on a, 2025-06-02 10:00:00 UTC\n {2}missing: 7\n {2}ledger: 7\n/,
  )
  assert.doesNotMatch(found, /i2/)
  const notOpen = '1 There is no open incident with this id. A halted chain is resumed with "chain resume".'
  assert.equal(await type(deps, 'incident', 'close', 'i2', 'looked into it'), notOpen)
  assert.equal(await type(deps, 'incident', 'close', 'i1', 'a', 'stale', 'node'), '0 Incident i1 is closed.')
  assert.match(await type(deps, 'incident', 'list', 'closed', 'stale node'), /i1 +shortage/)
  assert.match(
    await type(deps, 'incident', 'show', 'i1'),
    /closed time +2025-06-02 .*Nothing stands still.*a stale node$/s,
  )
  assert.equal(await type(deps, 'incident', 'close', 'i1', 'looked into it'), notOpen)
  assert.match(await type(deps, 'ledger', 'check'), /^0 /)
})

const program = join(import.meta.dirname, 'main.ts')
const start = (words: string[], env: NodeJS.ProcessEnv, input = '') =>
  new Promise<{ code: number; out: string; err: string }>(resolve => {
    const cache = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
    const child = execFile(process.execPath, [program, ...words], { env: { ...cache, ...env } }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
    child.stdin?.end(input)
  })

test('runs as a program, and explains unknown commands and unreachable databases', async t => {
  const deps = await withDeps(t)
  const { mchid } = await testMerchant(deps)
  const { PATH } = process.env
  const listed = await start(['merchant', 'list'], { PATH, DATABASE_URL: deps.url })
  assert.deepEqual([listed.code, listed.err], [0, ''])
  assert.ok(listed.out.includes(mchid))
  const unknown = await start(['merchant', 'drop'], { PATH })
  assert.equal(unknown.code, 2)
  assert.match(unknown.err, /^Unknown command "merchant drop"\. [^\n]+\n$/)
  const help = await start(['merchant', '--help'], { PATH })
  assert.deepEqual([help.code, help.err], [0, ''])
  const asking = await start(['merchant', 'unfreeze', mchid, 'documents seen'], { PATH, DATABASE_URL: deps.url })
  assert.equal(asking.code, 2)
  assert.match(asking.err, /^Let .* withdraw again\? Nothing was done: add --yes to do it\.\n$/)
  const unfrozen = await start(['merchant', 'unfreeze', mchid, 'documents seen', '--yes'], {
    PATH,
    DATABASE_URL: deps.url,
  })
  assert.equal(unfrozen.code, 0)
  await deps.owner.query(`insert into chains (id, kind, definition) values ('c', 'evm', '{}')`)
  await deps.owner.query(
    `insert into wallets (chain_id, address, role, next_nonce, created_at) values ('c', '0x7', 'hot', 0, 0)`,
  )
  const halted = await start(['wallet', 'halt', 'c', 'a new key'], { PATH, DATABASE_URL: deps.url })
  assert.deepEqual(halted, { code: 0, out: 'The hot wallet of c is halted.\n', err: '' })
  const nothing = await start(['merchant', 'list'], { PATH, DATABASE_URL: 'postgres://x@127.0.0.1:1/x' })
  assert.match(nothing.err, /^No database answers where DATABASE_URL points.*\n$/)
  const without = await start(['merchant', 'list'], { PATH, COFFER_DATA: '/nowhere' })
  assert.equal(without.code, 1)
  assert.match(without.err, /^There is no sandbox here/)
})

test('creates an encrypted, private seed once, and prints the phrase and the public keys', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'coffer-cli-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const { PATH } = process.env
  const env = { PATH, COFFER_DATA: dataDir, COFFER_SIGNER_PASSPHRASE: 'long enough passphrase' }
  const early = await start(['signer', 'init'], { PATH, COFFER_DATA: dataDir })
  assert.deepEqual([early.code, early.out], [1, ''])
  assert.match(early.err, /^COFFER_SIGNER_PASSPHRASE is not set/)
  const noFile = await start(['signer', 'init'], {
    PATH,
    COFFER_DATA: dataDir,
    COFFER_SIGNER_PASSPHRASE_FILE: '/nowhere',
  })
  assert.match(noFile.err, /^COFFER_SIGNER_PASSPHRASE_FILE cannot be read .*ENOENT/)
  await writeFile(
    join(dataDir, 'chains.json'),
    JSON.stringify({ chains: [{ id: 'eth', nodes: [{ url: 'http://127.0.0.1:1' }] }] }),
  )
  const made = await start(['signer', 'init'], env)
  assert.equal(made.code, 0, made.err)
  assert.match(made.out, /\n(?:[a-z]+ ){23}[a-z]+\n/)
  assert.match(made.out, /COFFER_XPUB_EVM=xpub\w+/)
  const seed = join(dataDir, 'signer', 'seed.json')
  assert.equal((await stat(seed)).mode & 0o777, 0o600)
  const before = await readFile(seed, 'utf8')
  const again = await start(['signer', 'init'], env)
  assert.equal(again.code, 1)
  assert.match(again.err, /a seed is never replaced/)
  assert.equal(await readFile(seed, 'utf8'), before)
})

test('records what commands change with its outcome, and nothing of those that read', async t => {
  const deps = await withDeps(t)
  const { id, mchid } = await testMerchant(deps)
  await type(deps, 'merchant', 'freeze', mchid)
  assert.equal(await type(deps, 'merchant', 'remove-authenticator', mchid), '1 Not bound yet')
  const { rows } = await deps.pool.query(
    `select type, outcome, reason, subject::json ->> 'action' as action, subject::json ->> 'on' as on, device
     from audit_log where merchant_id = '' order by seq`,
  )
  const by = `${process.env.SUDO_USER ?? userInfo().username}@${hostname()}`
  assert.deepEqual(rows.map(Object.values), [
    ['operator_began', 'done', '', 'POST merchants/:id/freeze', mchid, by],
    ['operator', 'done', '', 'POST merchants/:id/freeze', mchid, by],
    ['operator_began', 'done', '', 'POST merchants/:id/remove-authenticator', mchid, by],
    ['operator', 'refused', 'not_bound', 'POST merchants/:id/remove-authenticator', mchid, by],
  ])
  assert.match(await type(deps, 'audit', 'verify'), /^0 The audit log is complete: 6 entries\.$/)
  await deps.owner.query(`update audit_log set ip = '198.51.100.1' where merchant_id = $1 and type = 'login'`, [id])
  assert.equal(await type(deps, 'audit', 'verify'), `1 Entry 1 of ${id}: was changed or inserted`)
})

test('restores the seed from the phrase on standard input, and refuses that of another wallet', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'coffer-cli-'))
  t.after(() => rm(dataDir, { recursive: true }))
  await writeFile(
    join(dataDir, 'chains.json'),
    JSON.stringify({ chains: [{ id: 'eth', nodes: [{ url: 'http://127.0.0.1:1' }] }] }),
  )
  const phrase = `${'abandon '.repeat(23)}art`
  const { PATH } = process.env
  const env = { PATH, COFFER_DATA: dataDir, COFFER_SIGNER_PASSPHRASE: 'long enough passphrase' }
  const restore = (typed: string, more = {}) => start(['signer', 'restore'], { ...env, ...more }, `${typed}\n`)
  const wrong = await restore(phrase.replace('art', 'able'))
  assert.deepEqual([wrong.code, wrong.out], [1, ''])
  assert.match(wrong.err, /The recovery phrase is invalid/)
  const other = await restore(phrase, { COFFER_XPUB_EVM: 'xpub-of-another-wallet' })
  assert.equal(other.code, 1)
  assert.match(other.err, /another wallet than COFFER_XPUB_EVM\. Nothing was written/)
  const done = await restore(phrase.toUpperCase())
  assert.equal(done.code, 0, done.err)
  assert.ok(!done.out.includes('abandon') && !done.err.includes('abandon'), 'the phrase is not shown')
  const [xpub] = /(?<=COFFER_XPUB_EVM=)xpub\w+/.exec(done.out) ?? []
  const keys = await openSeedFile(join(dataDir, 'signer', 'seed.json'), env.COFFER_SIGNER_PASSPHRASE)
  assert.equal(keys.xpub('evm'), xpub)
  // BIP-39's vector of this phrase, at m/44'/60'/0'/0/0.
  assert.equal(keys.address('evm', 0), '0xf278cf59f82edcf871d630f28ecc8056f25c1cdb')
  assert.match((await restore(phrase)).err, /a seed is never replaced/)
})
