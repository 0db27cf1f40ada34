import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AddressBookEntry } from '@coffer/contract/address-book/routes.ts'
import { walletNames } from '@coffer/contract/labels/wallets.ts'
import { breakOnce } from '../../testing/break.ts'
import { exportCells } from '../../testing/export-cells.ts'
import { ownerOf, testMerchant, visitor } from '../../testing/merchants.ts'
import { bsc, eth, rowsOf } from '../../testing/money.ts'
import { refusedUnlessOpen } from '../../testing/standing.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import type { Proof } from '../identity/proofs/check-proof.ts'
import { savePolicy } from '../policies/save-policy.ts'
import { addAddressBookEntries } from './add-address-book-entries.ts'
import { changeOrRemoveBookEntry } from './change-entry.ts'
import { checkAddressBookRows, importAddressBookRows } from './import-address-book-rows.ts'
import bookExport, { listAddressBook } from './list.ts'

const world = await withdrawalWorld({ after })
const { deps, owner } = world
const day = 86_400
const page = { limit: 100, offset: 0 }

type Owner = { id: string }
const proofOf = ({ id }: Owner) => world.proof(id, 'address-book')
const entry = (address: string, more: Partial<AddressBookEntry> = {}): AddressBookEntry => ({
  currency_id: eth.id,
  address,
  label: 'Supplier',
  memo: '',
  beneficiary: '',
  wallet: '',
  institution: '',
  ...more,
})
const add = async (merchant: Owner, address: string, more: Partial<AddressBookEntry> = {}) =>
  (
    await addAddressBookEntries(deps, {
      merchantId: merchant.id,
      entries: [entry(address, more)],
      proof: await proofOf(merchant),
      from: visitor,
    })
  )[0]!
const book = async (merchant: Owner, filter = {}) =>
  (await listAddressBook(deps, ownerOf(merchant.id), filter, page)).list
const row = (network: string, address: string, label = 'Imported') => {
  const rest = { memo: '', beneficiary: '', wallet: '', institution: '' }
  return { network, address, label, ...rest }
}
const poisoned = (middle: string) => `0xabc${middle.padEnd(33, '0')}dead`

test('an entry is added once, found by its parts, changed and removed', async () => {
  const merchant = await testMerchant(deps)
  const stranger = await testMerchant(deps)
  const address = '0x52908400098527886E0F7030069857D2E4169EE7'
  const id = await add(merchant, ` ${address.toLowerCase()} `, {
    label: ' Müller ',
    wallet: 'hosted',
    institution: 'Exchange',
  })
  await deps.delivered()
  assert.match(deps.mails.at(-1)!.text, /Müller/)
  await add(merchant, address, { currency_id: bsc.id, beneficiary: 'Another company' })
  await assert.rejects(add(merchant, address), { reason: 'address_in_book', field: 'address' })
  // A database of locale C folds the case of ASCII letters only.
  const found = (await book(merchant, { text: 'MüLL' }))[0]!
  assert.deepEqual(
    [found.id, found.address, found.label, found.wallet, found.institution, found.known],
    [id, address, 'Müller', 'hosted', 'Exchange', true],
  )
  assert.equal((await book(merchant, { text: address.toLowerCase() })).length, 2)
  assert.equal((await book(merchant, { text: 'another comp' })).length, 1)
  assert.equal((await book(merchant, { text: address, currency_id: bsc.id })).length, 1)
  assert.equal((await book(merchant, { text: '100%' })).length, 0)
  assert.deepEqual(await book(stranger), [])
  for (const language of ['en', 'zh-CN'] as const) {
    const file = await exportCells(deps, bookExport, { merchantId: merchant.id, filter: {}, language })
    assert.deepEqual(file.map(each => each.Wallet).sort(), ['', walletNames[language].hosted])
  }
  const change = async (by: Owner, what: typeof about | null) =>
    changeOrRemoveBookEntry(deps, { merchantId: by.id, id, about: what, proof: await proofOf(by), from: visitor })
  await assert.rejects(change(stranger, about), { reason: 'entry_not_exist' })
  await assert.rejects(change(stranger, null), { reason: 'entry_not_exist' })
  await change(merchant, about)
  const renamed = (await book(merchant, { text: 'renamed' }))[0]!
  assert.deepEqual([renamed.wallet, renamed.institution, renamed.address], ['', '', address])
  await change(merchant, null)
  await assert.rejects(change(merchant, null), { reason: 'entry_not_exist' })
  assert.equal((await book(merchant)).length, 1)
  await add(merchant, address)
  const types = await rowsOf(owner, 'select type from audit_log where merchant_id = $1 order by seq', [merchant.id])
  assert.deepEqual(
    types.map(each => each.type).filter(each => /^address/.test(each)),
    ['address_added', 'address_added', 'address_changed', 'address_removed', 'address_added'],
  )
})

test('refuses what is no address of the network, one of ours, a token and a look-alike', async () => {
  const merchant = await testMerchant(deps)
  const wrongChain = { reason: 'bad_address', field: 'address' }
  for (const bad of ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', '0x1234', `0x${'0'.repeat(40)}`])
    await assert.rejects(add(merchant, bad), wrongChain, bad)
  const { address: ours } = await world.pay()
  const notAllowed = { reason: 'address_not_allowed', field: 'address' }
  await assert.rejects(add(merchant, ours), notAllowed)
  await assert.rejects(add(merchant, eth.tokens[0]!.contract), notAllowed)
  await assert.rejects(add(merchant, poisoned('1'), { currency_id: 'none' }), { reason: 'currency_not_exist' })
  await assert.rejects(add(merchant, poisoned('1'), { memo: '7' }), { reason: 'parameter_error', field: 'memo' })
  await add(merchant, poisoned('1'))
  await assert.rejects(
    add(merchant, poisoned('2')),
    (error: { reason: string; detail: { en: string }; data: object }) => {
      assert.equal(error.reason, 'address_look_alike')
      assert.match(error.detail.en, /^known: 0x\w+\[1\w*\]\w+, entered: 0x\w+\[2\w*\]\w+$/i)
      assert.deepEqual(Object.keys(error.data), ['similar'])
      return true
    },
  )
  await add(merchant, poisoned('2'), { currency_id: bsc.id })
  const both = await Promise.allSettled([
    add(merchant, poisoned('3').replace(/^0xabc(.*)dead$/, '0xdef$1beef')),
    add(merchant, poisoned('4').replace(/^0xabc(.*)dead$/, '0xdef$1beef')),
  ])
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
})

test('needs a proof of its own, an open account, and stores nothing when it breaks', async () => {
  const merchant = await testMerchant(deps)
  const requested = { merchantId: merchant.id, entries: [entry(poisoned('1'))], from: visitor }
  const forWithdrawal = await world.proof(merchant.id)
  await assert.rejects(addAddressBookEntries(deps, { ...requested, proof: forWithdrawal }), { reason: 'proof_needed' })
  const proof = await proofOf(merchant)
  const broken = { ...deps, pool: breakOnce(deps.pool, /insert into address_book/) }
  await assert.rejects(addAddressBookEntries(broken, { ...requested, proof }), /killed here/)
  assert.deepEqual(await book(merchant), [])
  await addAddressBookEntries(deps, { ...requested, proof })
  await owner.query('update merchants set frozen = true where id = $1', [merchant.id])
  await assert.rejects(add(merchant, poisoned('9')), { reason: 'account_frozen' })
})

const about = { label: 'Renamed', beneficiary: '', wallet: '' as const, institution: '' }
type Requested = { merchantId: string; id: string; proof: Proof }
/** With the statement that stores it, and how many of two at once succeed: an edit says the same twice. */
const verbs: [
  what: string,
  statement: RegExp,
  ofTwo: number,
  (of: typeof deps, requested: Requested) => Promise<unknown>,
][] = [
  [
    'an edit',
    /update address_book/,
    2,
    (of, requested) => changeOrRemoveBookEntry(of, { ...requested, about, from: visitor }),
  ],
  [
    'a removal',
    /update address_book/,
    1,
    (of, requested) => changeOrRemoveBookEntry(of, { ...requested, about: null, from: visitor }),
  ],
  [
    'an import',
    /insert into address_book/,
    1,
    (of, { merchantId, proof }) =>
      importAddressBookRows(of, { merchantId, proof, rows: [row(eth.id, `0x${'6'.repeat(40)}`)], from: visitor }),
  ],
]
for (const [what, statement, ofTwo, verb] of verbs)
  test(`${what} needs an open account, uses up its proof, and a crash changes nothing`, async () => {
    const merchant = await testMerchant(deps)
    const requested = {
      merchantId: merchant.id,
      id: await add(merchant, poisoned('1')),
      proof: await proofOf(merchant),
    }
    const before = await book(merchant)
    await refusedUnlessOpen(owner, merchant.id, () => verb(deps, requested))
    for (const pattern of [statement, /audit_append/, /^commit/i])
      await assert.rejects(verb({ ...deps, pool: breakOnce(deps.pool, pattern) }, requested), /killed here/)
    assert.deepEqual(await book(merchant), before)
    const both = [requested, { ...requested, proof: await proofOf(merchant) }].map(each => verb(deps, each))
    assert.equal((await Promise.allSettled(both)).filter(each => each.status === 'fulfilled').length, ofTwo)
    await assert.rejects(verb(deps, requested))
    await assert.rejects(verb(deps, { ...requested, proof: await world.proof(merchant.id) }), {
      reason: 'proof_needed',
    })
  })

test('an entry counts as known after the cool-down of the policy', async () => {
  const { merchant } = world
  const destination = { kind: 'destination' as const, cool_down: day }
  await savePolicy(deps, {
    merchantId: merchant.id,
    rules: [destination],
    proof: await world.proof(merchant.id, 'withdrawal-settings'),
    from: visitor,
  })
  const address = poisoned('5')
  await assert.rejects(world.withdraw('5', { address }), { reason: 'policy_refused' })
  const id = await add(merchant, address)
  const first = (await book(merchant))[0]!
  assert.deepEqual([first.known, first.known_time], [false, deps.clock() + day])
  await assert.rejects(world.withdraw('5', { address }), { reason: 'policy_refused' })
  deps.pass(day)
  assert.equal((await book(merchant))[0]!.known, true)
  await world.withdraw('5', { address })
  await changeOrRemoveBookEntry(deps, {
    merchantId: merchant.id,
    id,
    about: null,
    proof: await proofOf(merchant),
    from: visitor,
  })
  await add(merchant, address)
  await assert.rejects(world.withdraw('5', { address }), { reason: 'policy_refused' }, 'its cool-down begins again')
})

test('an import reports what is wrong with each row, and stores all rows or none', async () => {
  const merchant = await testMerchant(deps)
  await add(merchant, poisoned('1'))
  const bad = [
    row(eth.id, poisoned('1')),
    row(eth.name.toUpperCase(), poisoned('2')),
    row('ETHER', poisoned('3')),
    row(eth.id, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'),
    row(eth.id, `0x${'7'.repeat(40)}`, ' '),
    { ...row(eth.id, `0x${'7'.repeat(40)}`), wallet: 'cold' },
    row(eth.id, `0x${'8'.repeat(40)}`, '\u0000'),
    row(eth.id, `0x${'8'.repeat(40)}`, 'One\neth,0xb,Two'),
  ]
  const good = [row(eth.id, `0x${'5'.repeat(40)}`), row(bsc.name, `0x${'5'.repeat(40)}`)]
  const twice = [row(eth.id, `0x${'5'.repeat(40)}`)]
  const rows = [...bad, ...good, ...twice]
  const checked = await checkAddressBookRows(deps, { merchantId: merchant.id, rows, language: 'en' })
  assert.deepEqual(
    checked.rows.map(each => [each.error, each.field]),
    [
      ['address_in_book', 'address'],
      ['address_look_alike', 'address'],
      ['currency_not_exist', 'network'],
      ['bad_address', 'address'],
      ['text_needed', 'label'],
      ['parameter_error', 'wallet'],
      ['text_needed', 'label'],
      ['text_needed', 'label'],
      ['', ''],
      ['', ''],
      ['address_in_book', 'address'],
    ],
  )
  assert.ok(checked.rows[1]!.similar)
  assert.match(checked.rows[2]!.msg, /^Unknown network. Known networks: .*Ethereum/)
  assert.equal(checked.rows[5]!.msg, 'Unknown wallet type. Known types: Hosted, Self-hosted')
  assert.match(checked.rows.at(-1)!.msg, /^This address stands in an earlier row$/)
  const send = async (some: typeof rows) =>
    importAddressBookRows(deps, { merchantId: merchant.id, rows: some, proof: await proofOf(merchant), from: visitor })
  await assert.rejects(send([...good, bad[3]!]), { reason: 'bad_address', field: 'rows.2.address' })
  assert.equal((await book(merchant)).length, 1)
  assert.deepEqual(await send(good), { added: 2 })
  await assert.rejects(send(good), { reason: 'address_in_book', field: 'rows.0.address' })
  assert.equal((await book(merchant)).length, 3)
})
