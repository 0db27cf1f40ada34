import { randomBytes } from 'node:crypto'
import { appendFileSync, chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBackupKey } from '@coffer/server/backup/encryption.ts'

/** This machine, as containers reach it, with the node of the chain, the mail server and the price sources. */
export const machineAddress = '10.77.0.1'
export const mailPort = 2525
export const nodePort = 8545
/** The signer's user, by ops/Dockerfile. */
const signerUser = 10_002

/** What only an operator knows. */
export interface Secrets {
  passphrase: string
  /** Of the superuser of the database. */
  superuser: string
  owner: string
  server: string
  secret: string
  /** The private key of backups. */
  backup: string
}

const secretsFile = (folder: string) => join(folder, 'secrets.json')
export const readSecrets = (folder: string): Secrets => JSON.parse(readFileSync(secretsFile(folder), 'utf8'))

const chains = [
  {
    id: 'local',
    name: 'Local',
    network: 'Local',
    chainId: 31_337,
    confirmations: 2,
    blockTime: 1,
    native: { symbol: 'ETH', decimals: 18 },
    tokens: [],
    nodes: [{ url: `http://${machineAddress}:${nodePort}` }],
  },
]

/** What this machine adds: builds use its network, containers know its address, and trust its price sources. */
const additions = `services:
  migrate: { build: { network: host } }
  backup: { build: { network: host } }
  server:
    environment: { NODE_EXTRA_CA_CERTS: /etc/coffer/outside.crt }
    volumes: ["./outside.crt:/etc/coffer/outside.crt:ro"]
networks:
  outside: { ipam: { config: [{ subnet: 10.77.0.0/24, gateway: ${machineAddress} }] } }
`

/** Writes what ops/compose.yml wants beside it. */
export async function writeOperatorFiles(folder: string): Promise<void> {
  const word = () => randomBytes(18).toString('hex')
  const { identity, recipient } = await createBackupKey()
  const secrets: Secrets = {
    passphrase: word(),
    superuser: word(),
    owner: word(),
    server: word(),
    secret: word(),
    backup: identity,
  }
  writeFileSync(secretsFile(folder), JSON.stringify(secrets), { mode: 0o600 })
  const write = (name: string, text: string, mode = 0o600) =>
    writeFileSync(join(folder, 'clone/ops', name), text, { mode })
  const lines = (each: Record<string, string>) => Object.entries(each).map(([name, value]) => `${name}=${value}\n`)
  const passwords = {
    SUPERUSER_PASSWORD: secrets.superuser,
    OWNER_PASSWORD: secrets.owner,
    SERVER_PASSWORD: secrets.server,
  }
  write('.env', lines(passwords).join(''))
  const settings = {
    COFFER_PUBLIC_URL: 'https://pay.example.com',
    COFFER_TRUST_PROXY: '1',
    COFFER_SECRET: secrets.secret,
    COFFER_SMTP_URL: `smtp://${machineAddress}:${mailPort}`,
    COFFER_PRICES_URL: `https://${machineAddress}`,
    COFFER_BREACHED_URL: 'none',
    // A new key and a new whitelist may pay at once.
    COFFER_WITHDRAW_HOLD_HOURS: '0',
    COFFER_BACKUP_RECIPIENTS: recipient,
  }
  write('coffer.env', lines(settings).join(''))
  write('chains.json', JSON.stringify({ chains }), 0o644)
  write('signer-passphrase', `${secrets.passphrase}\n`, 0o400)
  chownSync(join(folder, 'clone/ops/signer-passphrase'), signerUser, signerUser)
  write('drill.yml', additions)
}

/** Adds what `signer init` has printed to the settings of the server. */
export function addKeys(folder: string, printed: string): void {
  const [line] = /^COFFER_XPUB_EVM=\S+/m.exec(printed) ?? []
  if (!line) throw new Error('signer init printed no public key')
  appendFileSync(join(folder, 'clone/ops/coffer.env'), `${line}\n`)
}
