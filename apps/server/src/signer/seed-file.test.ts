import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { Keys } from './keys.ts'
import {
  createRandomPassphrase,
  createRandomSeedFile,
  createSeedFile,
  createVaultFile,
  openSeedFile,
  SeedFileError,
} from './seed-file.ts'

const PASSPHRASE = 'correct horse battery'
const home = mkdtempSync(join(tmpdir(), 'coffer-seed-'))
after(() => rmSync(home, { recursive: true }))
const fresh = () => join(mkdtempSync(join(home, 'each-')), 'inner', 'seed.json')

/** A file of a passphrase that is stretched, which takes a third of a second, and its phrase. No test changes it. */
const path = fresh()
const phrase = await createSeedFile(path, PASSPHRASE)

test('decrypts a seed with its passphrase only', async () => {
  assert.equal(phrase.split(' ').length, 24)
  const keys = await openSeedFile(path, PASSPHRASE)
  assert.equal(keys.xpub('evm'), new Keys(mnemonicToSeedSync(phrase)).xpub('evm'))
  await assert.rejects(openSeedFile(path, `${PASSPHRASE}!`), SeedFileError)
})

test('stores no word of the phrase in clear, in a file for the current user only', async () => {
  const text = readFileSync(path, 'utf8')
  for (const word of phrase.split(' ')) assert.ok(!text.includes(` ${word} `))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700)
})

test('restores the seed from its recovery phrase, whatever the case and spacing', async () => {
  const again = fresh()
  await createSeedFile(again, 'another passphrase', `  ${phrase.toUpperCase().replaceAll(' ', '\n')} `)
  const keys = await openSeedFile(again, 'another passphrase')
  assert.equal(keys.address('evm', 'hot'), new Keys(mnemonicToSeedSync(phrase)).address('evm', 'hot'))
})

test('in vault mode holds the wallets, and no key of a deposit address', async () => {
  const whole = new Keys(mnemonicToSeedSync(generateMnemonic(wordlist, 256)))
  const path = fresh()
  await createVaultFile(path, PASSPHRASE, whole.vault())
  const vault = await openSeedFile(path, PASSPHRASE)
  assert.deepEqual([whole.holdsDeposits, vault.holdsDeposits], [true, false])
  for (const kind of ['evm', 'tron'] as const) {
    assert.equal(vault.xpub(kind), whole.xpub(kind))
    for (const name of ['hot', 'sweeper', 0, 7] as const)
      assert.equal(vault.address(kind, name), whole.address(kind, name))
    assert.deepEqual(vault.privateKey(kind, 'hot'), whole.privateKey(kind, 'hot'))
    assert.throws(() => vault.privateKey(kind, 7), /not here/)
  }
  await assert.rejects(openSeedFile(path, `${PASSPHRASE}!`), SeedFileError)
})

test('stretches a passphrase that people choose, and only a random one not', async () => {
  const random = fresh()
  const passphrase = createRandomPassphrase()
  await createRandomSeedFile(random, passphrase)
  const costs = [path, random].map(path => JSON.parse(readFileSync(path, 'utf8')).N)
  assert.deepEqual(costs, [2 ** 17, 2 ** 10])
  assert.match((await openSeedFile(random, passphrase)).xpub('evm'), /^xpub/)
  await assert.rejects(openSeedFile(random, createRandomPassphrase()), SeedFileError)
  await assert.rejects(createRandomSeedFile(fresh(), PASSPHRASE), SeedFileError)
})

test('never overwrites a seed', async () => {
  const before = readFileSync(path, 'utf8')
  await assert.rejects(createSeedFile(path, PASSPHRASE), SeedFileError)
  assert.equal(readFileSync(path, 'utf8'), before)
})

test('refuses short passphrases, invalid phrases, and readable, modified or missing files', async () => {
  await assert.rejects(createSeedFile(fresh(), 'short'), SeedFileError)
  await assert.rejects(createSeedFile(fresh(), PASSPHRASE, 'abandon '.repeat(12).trim()), SeedFileError)
  await assert.rejects(openSeedFile(fresh(), PASSPHRASE), SeedFileError)

  const path = fresh()
  const passphrase = createRandomPassphrase()
  await createRandomSeedFile(path, passphrase)
  const file = JSON.parse(readFileSync(path, 'utf8'))
  const bytes = Buffer.from(file.entropy, 'base64')
  bytes[0]! ^= 1
  for (const change of [{ entropy: bytes.toString('base64') }, { N: 2 ** 30 }, { version: 2 }, { tag: '' }]) {
    writeFileSync(path, JSON.stringify({ ...file, ...change }))
    await assert.rejects(openSeedFile(path, passphrase), SeedFileError)
  }
  writeFileSync(path, JSON.stringify(file))
  chmodSync(path, 0o644)
  await assert.rejects(openSeedFile(path, passphrase), SeedFileError)
})
