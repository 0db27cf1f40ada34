import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { addressVerifier, Coffer, verifyAddress } from './index.ts'

/** The seed of the phrase that is eleven times "abandon" and "about", whose addresses wallets publish. */
const known = HDKey.fromMasterSeed(
  Buffer.from(
    '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
    'hex',
  ),
)
const base58check = createBase58check(sha256)
const xpub = (path: string, of = known) => of.derive(path).publicExtendedKey
const keys = { evm: xpub("m/44'/60'/0'"), tron: xpub("m/44'/195'/0'") }
const evm = { address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94', address_index: 0 }
const tron = { address: 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK', address_index: 1 }

test('accepts the addresses that wallets derive, as the server writes them', () => {
  for (const shown of [evm, tron]) verifyAddress(shown, keys)
})

test('refuses addresses of other keys, places, forms and chains', () => {
  const other = HDKey.fromMasterSeed(new Uint8Array(64).fill(1))
  const refused = (shown: object, of: object, reason: RegExp) =>
    assert.throws(() => verifyAddress(shown as typeof evm, of), { name: 'AddressError', message: reason })
  const another = /the operator’s key has another at index/
  // Another wallet; the account of another chain; another index.
  refused(evm, { evm: xpub("m/44'/60'/0'", other) }, another)
  refused(evm, { evm: keys.tron }, another)
  refused({ ...tron, address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH' }, keys, another)
  refused({ ...evm, address_index: 1 }, keys, another)
  // The same bytes without the checksum, and as an address of TRON.
  refused({ ...evm, address: evm.address.toLowerCase() }, keys, another)
  const asTron = base58check.encode(Buffer.from(`41${evm.address.slice(2)}`, 'hex'))
  refused({ ...evm, address: asTron }, keys, another)
  verifyAddress({ ...evm, address: asTron }, { tron: keys.evm })
  // The key of another chain only.
  refused(tron, { evm: keys.evm }, /accountKeys.tron is not set/)
  // Hostile indexes: hardened, fractions, texts that pass for numbers, none.
  for (const address_index of [0x80000000, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '0', [0], {}])
    refused({ ...evm, address_index }, keys, /its index is not one/)
  for (const address_index of [null, undefined]) refused({ ...evm, address_index }, keys, /does not say its index/)
  // Other kinds, and what is no address.
  for (const address of [
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    `${evm.address}0`,
    ` ${evm.address}`,
    'constructor',
  ])
    refused({ ...evm, address }, keys, /of no kind/)
  refused({ ...evm, address: '' }, keys, /there is none/)
})

test('takes public keys of accounts only', () => {
  const refused = (evm: unknown, message: RegExp) =>
    assert.throws(() => addressVerifier({ evm } as typeof keys), { name: 'TypeError', message })
  const account = known.derive("m/44'/60'/0'")
  refused(account.privateExtendedKey, /not an extended public key/)
  refused(
    'tpubDC5FSnBiZDMmhiuCmWAYsLwgLYrrT9rAqvTySfuCCrgsWz8wxMXUS9Tb9iVMvcRbvFcAHGkMD5Kx8koh4GquNGNTfohfk7pgjhaPCdXpoba',
    /not an extended public key/,
  )
  refused(
    account.publicExtendedKey.replace(/.$/, end => (end === '1' ? '2' : '1')),
    /copy it whole/,
  )
  for (const path of ['m', "m/44'/60'", "m/44'/60'/1'", "m/44'/60'/0'/0"])
    refused(xpub(path), /not the key of an account/)
  assert.throws(() => addressVerifier({}), { name: 'TypeError', message: /one of evm, tron/ })
  assert.throws(
    () => new Coffer({ baseUrl: 'https://pay.example', secretKey: 'sk_test_1', accountKeys: { evm: 'x' } }),
    TypeError,
  )
})

test('a client with account keys returns no order and no address that it could not verify', async () => {
  let data: object = {}
  const client = (accountKeys?: typeof keys) =>
    new Coffer({
      baseUrl: 'https://pay.example',
      secretKey: 'sk_test_1',
      accountKeys,
      fetch: async () => Response.json({ code: 200, data }),
    })
  const coffer = client(keys)
  const order = { out_trade_no: 'A-1', amount: '1' }
  const calls = [
    () => coffer.createOrder({ ...order, chain: 'eth', token: 'USDT' }),
    () => coffer.createOrder(order),
    () => coffer.getOrder('1'),
    () => coffer.createAddress({ reference: 'a', chain: 'eth' }),
    () => coffer.getAddress('1'),
  ]
  data = evm
  for (const call of calls) assert.equal((await call()).address, evm.address)
  for (const wrong of [
    { ...evm, address_index: 3 },
    { ...evm, address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  ]) {
    data = wrong
    for (const call of calls) await assert.rejects(call, { name: 'AddressError' })
    assert.equal((await client().getOrder('1')).address, wrong.address)
  }
  // Until the payer has chosen, there is nothing to verify; where the shop has chosen, there must be.
  data = { address: '', address_index: null }
  assert.equal((await coffer.createOrder(order)).address, '')
  await assert.rejects(coffer.createOrder({ ...order, chain: 'eth', token: 'USDT' }), /there is none/)
  coffer.verifyAddress(tron)
  assert.throws(() => coffer.verifyAddress({ ...tron, address_index: 0 }), { name: 'AddressError' })
  assert.throws(() => client().verifyAddress(tron), /accountKeys is not set/)
})
