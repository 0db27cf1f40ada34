import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { volume } from '@coffer/local/testing/full.ts'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import fc from 'fast-check'
import { verifyAddress } from '../../../../packages/sdk/src/addresses.ts'
import { Keys } from './keys.ts'
import { cacheRecentAddresses, createWatchOnlyDeriver } from './watch.ts'

const PHRASE = 'test test test test test test test test test test test junk'
const keys = new Keys(mnemonicToSeedSync(PHRASE))

test("derives Ethereum deposit addresses at m/44'/60'/0'/0/i, as wallets do", () => {
  assert.equal(keys.address('evm', 0), '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
  assert.equal(keys.address('evm', 1), '0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
})

test("derives TRON deposit addresses at m/44'/195'/0'/0/i, as wallets do", () => {
  const known = new Keys(mnemonicToSeedSync(`${'abandon '.repeat(11)}about`))
  const shown = [0, 1, 2, 3, 4].map(index => chainAdapters.tron.address.show(known.address('tron', index)))
  assert.deepEqual(shown, [
    'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
    'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK',
    'TYJPRrdB5APNeRs4R7fYZSwW3TcrTKw2gx',
    'TRhVWK5XEDkQBDevcdCWW7RW51aRncty4W',
    'TT2X2yyubp7qpAWYYNE5JQWBtoZ7ikQFsY',
  ])
})

test('derives the same addresses from public and private keys', () => {
  for (const kind of ['evm', 'tron'] as const) {
    const at = createWatchOnlyDeriver(kind, keys.xpub(kind))
    for (const index of [...Array(200).keys(), 100_000, 2 ** 31 - 1]) assert.equal(at(index), keys.address(kind, index))
  }
})

test('the merchant’s client derives the same addresses as the server, and no other key’s', () => {
  const seed = fc.uint8Array({ minLength: 64, maxLength: 64 })
  const index = fc.oneof(fc.nat({ max: 2 ** 31 - 1 }), fc.constantFrom(0, 1, 2 ** 31 - 1))
  fc.assert(
    fc.property(seed, seed, fc.constantFrom('evm', 'tron'), index, (own, other, kind, address_index) => {
      const address = chainAdapters[kind].address.show(
        createWatchOnlyDeriver(kind, new Keys(own).xpub(kind))(address_index),
      )
      verifyAddress({ address, address_index }, { [kind]: new Keys(own).xpub(kind) })
      const foreign = { [kind]: new Keys(other).xpub(kind) }
      if (Buffer.compare(own, other) !== 0)
        assert.throws(() => verifyAddress({ address, address_index }, foreign), { name: 'AddressError' })
    }),
    { numRuns: volume(12, 30) },
  )
})

test('derives a hot wallet per kind of chain that is no deposit address', () => {
  const at = createWatchOnlyDeriver('evm', keys.xpub('evm'))
  const hot = keys.address('evm', 'hot')
  for (let index = 0; index < 50; index++) assert.notEqual(at(index), hot)
  assert.notEqual(hot, keys.address('tron', 'hot'))
})

test('keeps the hot wallet out of reach of a deposit key with the xpub', () => {
  // One leaked child key and the xpub reveal the whole deposit account; the hot wallet must lie outside it.
  const account = HDKey.fromMasterSeed(mnemonicToSeedSync(PHRASE)).derive("m/44'/60'/0'")
  const hot = Buffer.from(keys.privateKey('evm', 'hot')).toString('hex')
  for (const path of ['m/0/0', 'm/1/0', 'm/0/1']) {
    assert.notEqual(Buffer.from(account.derive(path).privateKey!).toString('hex'), hot)
  }
})

test('refuses an extended private key for watching', () => {
  const account = HDKey.fromMasterSeed(mnemonicToSeedSync(PHRASE)).derive("m/44'/60'/0'")
  assert.throws(() => createWatchOnlyDeriver('evm', account.privateExtendedKey), /private key/)
  assert.throws(() => createWatchOnlyDeriver('evm', 'xpub-nonsense'))
})

test('an address is derived once while it is among the last ones', () => {
  const derived: number[] = []
  const addressAt = cacheRecentAddresses(index => {
    derived.push(index)
    return `address ${index}`
  }, 3)
  for (const index of [0, 1, 2, 0, 1, 2]) assert.equal(addressAt(index), `address ${index}`)
  assert.deepEqual(derived, [0, 1, 2])
  assert.equal(addressAt(3), 'address 3')
  for (const index of [1, 2, 3]) addressAt(index)
  assert.deepEqual(derived, [0, 1, 2, 3])
  assert.equal(addressAt(0), 'address 0')
  assert.deepEqual(derived, [0, 1, 2, 3, 0])
})
