import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { entropyToMnemonic, generateMnemonic, mnemonicToEntropy, mnemonicToSeed, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** Work factors of scrypt: 128 MB and about half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 }
const MAX_MEMORY = 256 * 1024 * 1024
const SHORTEST_PASSPHRASE = 12
const SHORTEST_PHRASE_BITS = 256

type SeedFile = {
  version: 1
  kdf: 'scrypt'
  N: number
  r: number
  p: number
  salt: string
  iv: string
  tag: string
  entropy: string
}

/** The seed file is not usable, in words for the operator. */
export class SeedProblem extends Error {
  override name = 'SeedProblem'
}

/**
 * Makes the seed file: a new recovery phrase, or one given to recover from, encrypted with the passphrase.
 * @returns the recovery phrase, to be shown once and written down
 * @throws SeedProblem when there is a file already, or the passphrase or the phrase will not do
 */
export async function createSeedFile(path: string, passphrase: string, phrase?: string): Promise<string> {
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    throw new SeedProblem(`The signer's passphrase needs at least ${SHORTEST_PASSPHRASE} characters.`)
  }
  const words = phrase?.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' ')
  if (words !== undefined && !validateMnemonic(words, wordlist)) {
    throw new SeedProblem('That is not a recovery phrase: check the words and their order.')
  }
  const kept = words ?? generateMnemonic(wordlist, SHORTEST_PHRASE_BITS)
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await stretch(passphrase, salt, COST), iv)
  const entropy = Buffer.concat([cipher.update(mnemonicToEntropy(kept, wordlist)), cipher.final()])
  const file: SeedFile = {
    version: 1,
    kdf: 'scrypt',
    ...COST,
    salt: salt.toString('base64'),
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    entropy: entropy.toString('base64'),
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeOnce(path, `${JSON.stringify(file, null, 2)}\n`)
  return kept
}

/**
 * Decrypts the seed file.
 * @returns the 64-byte seed of the key tree
 * @throws SeedProblem when the file is missing, readable by others, damaged, or the passphrase is wrong
 */
export async function openSeedFile(path: string, passphrase: string): Promise<Uint8Array> {
  const mode = await stat(path).then(
    found => found.mode & 0o077,
    () => {
      throw new SeedProblem(`There is no seed at ${path}. Make one first.`)
    },
  )
  if (mode !== 0) throw new SeedProblem(`${path} can be read by others. Give it the mode 600.`)
  const file = parse(await readFile(path, 'utf8'), path)
  const key = await stretch(passphrase, Buffer.from(file.salt, 'base64'), file)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(file.iv, 'base64'), { authTagLength: 16 })
    decipher.setAuthTag(Buffer.from(file.tag, 'base64'))
    const entropy = Buffer.concat([decipher.update(Buffer.from(file.entropy, 'base64')), decipher.final()])
    return await mnemonicToSeed(entropyToMnemonic(entropy, wordlist))
  } catch {
    throw new SeedProblem('The passphrase does not open the seed, or the file was changed.')
  }
}

function parse(text: string, path: string): SeedFile {
  try {
    const file = JSON.parse(text) as SeedFile
    const bounded = file.N <= COST.N * 8 && file.r <= 16 && file.p <= 16
    if (file.version === 1 && file.kdf === 'scrypt' && bounded && file.salt && file.iv && file.tag && file.entropy) {
      return file
    }
  } catch {
    // Falls through to the same words.
  }
  throw new SeedProblem(`${path} is not a seed file of this version.`)
}

function stretch(passphrase: string, salt: Buffer, { N, r, p }: { N: number; r: number; p: number }): Promise<Buffer> {
  const derive = promisify(scrypt) as (...args: unknown[]) => Promise<Buffer>
  const maxmem = Math.max(MAX_MEMORY, 130 * N * r)
  return derive(passphrase.normalize('NFKC'), salt, 32, { N, r, p, maxmem })
}

/** Writes a file that only we can read, flushed to the disk; never over one that is there. */
async function writeOnce(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new SeedProblem(`There is a seed at ${path} already. It is not written over.`)
    throw error
  })
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
