import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chainForms } from '@coffer/chains/forms.ts'
import { addressEndsOf } from '@coffer/core'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import { checkAddressBookEntries } from '../address-book/check-address-book-entries.ts'
import { explainDestination } from './explain-destination.ts'
import { recordKnownAddresses, toVisibleAddressEnds } from './known-addresses.ts'

const world = await withdrawalWorld({ after })
const { deps, owner, merchant } = world
const trusted = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
/** Addresses that share what people compare with the trusted one, and the same with one character less. */
const poisons: [what: string, alike: string, other: string][] = [
  ['three and three', `0xd8d${'1'.repeat(34)}045`, `0xd8d${'1'.repeat(35)}45`],
  ['two and four', `0xd8${'1'.repeat(34)}6045`, `0xd${'1'.repeat(35)}6045`],
  ['four and two', `0xd8da${'1'.repeat(34)}45`, `0xd8da${'1'.repeat(35)}5`],
  ['the first six', `0xd8da6b${'1'.repeat(34)}`, `0xd8da6${'1'.repeat(35)}`],
  ['the last six', `0x${'1'.repeat(34)}a96045`, `0x${'1'.repeat(35)}96045`],
]
const check = async (address: string, merchantId = merchant.id) => {
  const { checks } = await explainDestination(deps, { merchantId, chainId: 'eth', address })
  return checks.find(each => each.check === 'look_alike')
}
const entry = (address: string) => ({
  currency_id: 'eth',
  address,
  label: 'a',
  memo: '',
  beneficiary: '',
  wallet: '' as const,
  institution: '',
})
const inBook = (merchantId: string, ...addresses: string[]) =>
  tx(deps.pool, c => checkAddressBookEntries(c, merchantId, addresses.map(entry)))

test('a look-alike of a payout is refused among 20,000 addresses, by any six characters at its ends', async () => {
  // More than any limit, and all before the one that counts.
  await owner.query(
    `insert into known_addresses select $1, 'eth', '0x0' || substr(h, 2) || '00000000', true, '0' || substr(h, 2, 5), '000000'
     from generate_series(1, 20000) n cross join md5(n::text) h on conflict do nothing`,
    [merchant.id],
  )
  const id = await world.withdraw('1', { address: trusted })
  for (const [what, alike, other] of poisons) {
    assert.equal((await check(alike))?.result, 'fail', what)
    assert.equal((await check(alike))?.similar?.address, chainForms.evm.address.show(trusted), what)
    await assert.rejects(world.withdraw('1', { address: alike }), { reason: 'address_not_allowed' }, what)
    const [refused] = await inBook(merchant.id, alike)
    assert.equal(refused instanceof Refusal && refused.reason, 'address_look_alike', what)
    assert.equal((await check(other))?.result, 'pass', `${what}, with one less`)
  }
  assert.equal((await check(trusted))?.result, 'pass')
  await owner.query('update withdrawals set status = 6, released = amount where id = $1', [id])
  assert.equal((await check(poisons[0]![1]))?.result, 'pass', 'what was canceled was a mistake')
})

test('a look-alike of the book, or of an earlier row, is refused until the entry is removed', async () => {
  const { id } = await testMerchant(deps)
  await owner.query(
    `insert into address_book (merchant_id, id, chain_id, address, label, created_at, updated_at) values ($1, 'b', 'eth', $2, 'a', 0, 0)`,
    [id, trusted],
  )
  await recordKnownAddresses(deps.pool, [{ merchant_id: id, chain_id: 'eth', address: trusted, payer: false }])
  for (const [what, alike] of poisons) assert.equal((await check(alike, id))?.result, 'fail', what)
  await owner.query('update address_book set deleted_at = 1 where merchant_id = $1', [id])
  for (const [what, alike] of poisons) {
    assert.equal((await check(alike, id))?.result, 'pass', what)
    const [first, second] = await inBook(id, trusted, alike)
    assert.deepEqual([first instanceof Refusal, second instanceof Refusal], [false, true], what)
  }
})

test('a look-alike of a payer is named, not refused, and paying once makes nobody trusted', async () => {
  const payer = trusted
  const poison = poisons[0]![1]
  const other = await world.newMerchant()
  const known = { merchant_id: other.id, chain_id: 'eth', payer: true }
  await recordKnownAddresses(deps.pool, [{ ...known, address: payer }])
  await recordKnownAddresses(deps.pool, [
    { ...known, address: payer },
    { ...known, address: poison },
  ])
  const found = await check(poison, other.id)
  assert.deepEqual([found?.result, found?.similar?.address], ['warn', chainForms.evm.address.show(payer)])
  const id = await world.withdraw('1', { merchantId: other.id, address: payer })
  assert.deepEqual((await world.withdrawal(id)).warnings.toSorted(), ['first_payment', 'look_alike'])
  assert.equal((await check(poison, other.id))?.result, 'fail', 'a payer that resembles a payee')
})

test('who has paid is known, with the ends that are shown', async () => {
  const { address } = await world.pay()
  await world.eth.add([{ to: address, amount: 10_000_000n }])
  await world.eth.confirm()
  const { rows } = await owner.query(
    `select k.head, k.tail, d.from_address from deposits d join known_addresses k
       on k.merchant_id = d.merchant_id and k.chain_id = d.chain_id and k.address = d.from_address and k.payer
     where d.to_address = $1`,
    [address],
  )
  assert.ok(rows.length > 0)
  for (const { head, tail, from_address } of rows)
    assert.deepEqual({ head, tail }, toVisibleAddressEnds('evm', from_address))
  const tron = '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c'
  assert.deepEqual(toVisibleAddressEnds('tron', tron), addressEndsOf('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'T'))
})
