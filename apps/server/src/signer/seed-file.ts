import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { entropyToMnemonic, generateMnemonic, mnemonicToEntropy, mnemonicToSeed, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { Keys, type VaultAccounts } from './keys.ts'

/** scrypt parameters: 128 MB and about half a second per guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 }
const MAX_MEMORY = 256 * 1024 * 1024
/** A random passphrase cannot be guessed, however fast: stretching adds nothing to it. */
const RANDOM_COST = { N: 2 ** 10, r: 8, p: 1 }
const MIN_PASSPHRASE_LENGTH = 12
const RANDOM_BYTES = 24
const PHRASE_BITS = 256

/**
 * `entropy` is encrypted: in version 1 the entropy of the recovery phrase, in version 2 the accounts of vault mode as
 * JSON.
 */
type SeedFile = {
  version: 1 | 2
  kdf: 'scrypt'
  N: number
  r: number
  p: number
  salt: string
  iv: string
  tag: string
  entropy: string
}

/** The seed file cannot be used; the message is for the operator. */
export class SeedFileError extends Error {
  override name = 'SeedFileError'
}

/**
 * Creates the seed file: a new recovery phrase, or an existing one to recover from, encrypted with the passphrase.
 * @returns the recovery phrase, to be shown once and written down
 * @throws SeedProblem when the file exists, or the passphrase or the phrase is invalid
 */
export async function createSeedFile(path: string, passphrase: string, phrase?: string): Promise<string> {
  const mnemonic = phrase === undefined ? generateMnemonic(wordlist, PHRASE_BITS) : readPhrase(phrase)
  await writeSealed(path, passphrase, 1, mnemonicToEntropy(mnemonic, wordlist))
  return mnemonic
}

/** Returns a passphrase for `createRandomSeedFile`. */
export const createRandomPassphrase = (): string => randomBytes(RANDOM_BYTES).toString('base64url')

/**
 * Creates the seed file of a sandbox: a new recovery phrase, encrypted with a random passphrase, which opens it at
 * once.
 * @throws SeedProblem when the file exists, or the passphrase is not as long as a random one
 */
export async function createRandomSeedFile(path: string, passphrase: string): Promise<void> {
  if (!/^[\w-]{32}$/.test(passphrase)) throw new SeedFileError('This passphrase was not made at random.')
  await writeSealed(
    path,
    passphrase,
    1,
    mnemonicToEntropy(generateMnemonic(wordlist, PHRASE_BITS), wordlist),
    RANDOM_COST,
  )
}

/**
 * Creates the file of a signer in vault mode, encrypted with the passphrase. Never overwrites.
 * @throws SeedProblem when the file exists, or the passphrase is too short
 */
export const createVaultFile = (path: string, passphrase: string, accounts: VaultAccounts): Promise<void> =>
  writeSealed(path, passphrase, 2, Buffer.from(JSON.stringify(accounts)))

async function writeSealed(
  path: string,
  passphrase: string,
  version: 1 | 2,
  secret: Uint8Array,
  cost = COST,
): Promise<void> {
  if (passphrase.length < MIN_PASSPHRASE_LENGTH) {
    throw new SeedFileError(`The signer's passphrase must have at least ${MIN_PASSPHRASE_LENGTH} characters.`)
  }
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await stretch(passphrase, salt, cost), iv)
  const entropy = Buffer.concat([cipher.update(secret), cipher.final()])
  const file: SeedFile = {
    version,
    kdf: 'scrypt',
    ...cost,
    salt: salt.toString('base64'),
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    entropy: entropy.toString('base64'),
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeOnce(path, `${JSON.stringify(file, null, 2)}\n`)
}

/**
 * Returns the 64-byte seed of a recovery phrase.
 * @throws SeedProblem when the phrase is invalid
 */
export const deriveSeedFromPhrase = async (phrase: string): Promise<Uint8Array> => mnemonicToSeed(readPhrase(phrase))

function readPhrase(phrase: string): string {
  const words = phrase.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' ')
  if (validateMnemonic(words, wordlist)) return words
  throw new SeedFileError('The recovery phrase is invalid: check the words and their order.')
}

/**
 * Decrypts the seed file, or that of vault mode.
 * @returns the keys
 * @throws SeedProblem when the file is missing, damaged or readable by other users, or the passphrase is wrong
 */
export async function openSeedFile(path: string, passphrase: string): Promise<Keys> {
  const mode = await stat(path).then(
    found => found.mode & 0o077,
    () => {
      throw new SeedFileError(`There is no seed at ${path}. Create one first.`)
    },
  )
  if (mode !== 0) throw new SeedFileError(`${path} is readable by other users. Set its mode to 600.`)
  const file = parse(await readFile(path, 'utf8'), path)
  const key = await stretch(passphrase, Buffer.from(file.salt, 'base64'), file)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(file.iv, 'base64'), { authTagLength: 16 })
    decipher.setAuthTag(Buffer.from(file.tag, 'base64'))
    const entropy = Buffer.concat([decipher.update(Buffer.from(file.entropy, 'base64')), decipher.final()])
    if (file.version === 2) return new Keys(JSON.parse(String(entropy)))
    return new Keys(await mnemonicToSeed(entropyToMnemonic(entropy, wordlist)))
  } catch {
    throw new SeedFileError('The passphrase does not decrypt the seed, or the file was modified.')
  }
}

function parse(text: string, path: string): SeedFile {
  try {
    const file = JSON.parse(text) as SeedFile
    const bounded = file.N <= COST.N * 8 && file.r <= 16 && file.p <= 16
    if (
      [1, 2].includes(file.version) &&
      file.kdf === 'scrypt' &&
      bounded &&
      file.salt &&
      file.iv &&
      file.tag &&
      file.entropy
    ) {
      return file
    }
  } catch {
    // Not JSON: falls through to the error below.
  }
  throw new SeedFileError(`${path} is not a seed file of this version.`)
}

function stretch(passphrase: string, salt: Buffer, { N, r, p }: { N: number; r: number; p: number }): Promise<Buffer> {
  const derive = promisify(scrypt) as (...args: unknown[]) => Promise<Buffer>
  const maxmem = Math.max(MAX_MEMORY, 130 * N * r)
  return derive(passphrase.normalize('NFKC'), salt, 32, { N, r, p, maxmem })
}

/** Creates a file readable by the current user only and flushes it to disk. Never overwrites. */
async function writeOnce(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new SeedFileError(`There is already a seed at ${path}. It is never overwritten.`)
    throw error
  })
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
