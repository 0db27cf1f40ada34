import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChainDefinition, ChainKind } from '@coffer/chains'
import type { Random } from '@coffer/chains/fake/random.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { mnemonicToSeedSync } from '@scure/bip39'
import type { Deps } from '../../deps.ts'
import { type DelegatingChain, signSweepDelegations } from '../../domains/sweeps/authorizations.ts'
import { buildDryRunMessage, SignerRefused, SignerUnavailable } from '../../signer/client.ts'
import { Keys } from '../../signer/keys.ts'
import { buildSignerPolicy, SANDBOX_POLICY_LIMITS } from '../../signer/policy-file.ts'
import type { SignedRawTransaction } from '../../signer/protocol.ts'
import { SigningRecord } from '../../signer/record.ts'
import { answerSignerRequest } from '../../signer/service.ts'
import { watchOnce } from '../watch-once.ts'

const keys = new Keys(mnemonicToSeedSync('legal winner thank year wave sausage worth useful legal winner thank yellow'))
const derive: Record<ChainKind, (index: number) => string> = {
  evm: watchOnce('evm', keys.xpub('evm')),
  tron: watchOnce('tron', keys.xpub('tron')),
}

/** The hot wallets of all simulated chains of a kind. */
export const hotWallets: Record<ChainKind, string> = {
  evm: keys.address('evm', 'hot'),
  tron: keys.address('tron', 'hot'),
}
export const hotWallet = hotWallets.evm

/** The treasury of every simulated chain that has one. The signer does not have its key. */
export const treasury = `0x${'7e'.repeat(20)}`

/** The wallet that sweeps many addresses at once. */
export const sweeperWallet = keys.address('evm', 'sweeper')

/** Returns the deposit address at an index of the signer's key tree. */
export const addressAt = (kind: ChainKind, index: number): string => derive[kind](index)

/**
 * Delegations of deposit addresses that were signed where their keys are, for a chain whose deposits go to a wallet.
 */
export const authorizations = (chain: DelegatingChain) => signSweepDelegations(keys, chain, 0, 100)
export const xpub = keys.xpub('evm')

/** What stays in the hot wallet of each chain that has a treasury, by contract or `native`, in base units. */
export type Floats = ReadonlyMap<string, Record<string, bigint>>

/**
 * `down`: it does not answer. `dies`: sometimes it signs and dies before it answers, then starts again from its record.
 */
export type SignerMood = 'up' | 'down' | 'dies'

/** The signer with its own keys, policy and record, which outlives the server. */
export class SimSigner {
  mood: SignerMood = 'up'
  readonly #policy: ReturnType<typeof buildSignerPolicy>
  readonly #path: string
  readonly #world: { dice: Random; clock: () => number; moved: () => void }
  #record: SigningRecord
  readonly #keys: Keys

  /** @param isVault whether it has no key of a deposit address */
  constructor(
    scope: Scope,
    definitions: ChainDefinition[],
    { floats, isVault }: { floats: Floats; isVault: boolean },
    world: { dice: Random; clock: () => number; moved: () => void },
  ) {
    this.#keys = isVault ? new Keys(keys.vault()) : keys
    this.#policy = buildSignerPolicy(definitions, SANDBOX_POLICY_LIMITS)
    for (const [id, float] of floats) Object.assign(this.#policy.chains[id]!, { treasury, float })
    this.#world = world
    const folder = mkdtempSync(join(tmpdir(), 'coffer-test-signer-'))
    this.#path = join(folder, 'signed.jsonl')
    this.#record = new SigningRecord(this.#path, world.clock())
    scope.after(() => {
      this.#record.close()
      rmSync(folder, { recursive: true })
    })
  }

  /** What a server uses. */
  get client(): Deps['signer'] {
    return {
      hot: kind => this.#call({ op: 'hot', kind }),
      sweeper: kind => this.#call({ op: 'sweeper', kind }),
      holdsDeposits: kind => this.#call({ op: 'holdsDeposits', kind }),
      treasury: chain => this.#call({ op: 'treasury', chain }),
      exposure: () => this.#call({ op: 'exposure' }),
      releaseSites: () => this.#call({ op: 'releaseSites' }),
      sign: request => this.#call<SignedRawTransaction>({ op: 'sign', request }),
      dryRun: (request, before) => this.#call(buildDryRunMessage(request, before)),
      proveAddresses: proof => this.#call({ op: 'prove_addresses', proof }),
      proveStatement: proof => this.#call({ op: 'prove_statement', proof }),
      isReleased: payout => this.#call({ op: 'released', payout }),
    }
  }

  async #call<T>(message: object): Promise<T> {
    const { dice, clock, moved } = this.#world
    moved()
    if (this.mood === 'down') throw new SignerUnavailable('the signer is down')
    const dies = this.mood === 'dies' && dice.chance(0.5)
    const parts = { keys: this.#keys, policy: this.#policy, record: this.#record, now: clock }
    const found = await answerSignerRequest(parts, JSON.stringify({ id: 1, ...message }))
    moved()
    if (dies) {
      this.#record.close()
      this.#record = new SigningRecord(this.#path, clock())
      throw new SignerUnavailable('the connection to the signer was lost')
    }
    if ('refused' in found) throw new SignerRefused(found.refused)
    return found.result as T
  }
}
