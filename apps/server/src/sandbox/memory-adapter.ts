import type { Adapter, AdapterPayload } from 'oidc-provider'

/** Far more than the sign-ins of one machine; the oldest entries are dropped first. */
const entriesMax = 5_000

/** In-memory storage of the sandbox's OpenID provider. Nothing needs to survive a restart. */
export class MemoryAdapter implements Adapter {
  static readonly #entries = new Map<string, { payload: AdapterPayload; until: number }>()
  readonly #model: string

  constructor(model: string) {
    this.#model = model
  }

  #key(id: string): string {
    return `${this.#model} ${id}`
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const entries = MemoryAdapter.#entries
    entries.delete(this.#key(id))
    entries.set(this.#key(id), { payload, until: Date.now() + (expiresIn ?? 86_400) * 1_000 })
    for (const oldest of entries.keys()) {
      if (entries.size <= entriesMax) break
      entries.delete(oldest)
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const entry = MemoryAdapter.#entries.get(this.#key(id))
    return entry && entry.until > Date.now() ? entry.payload : undefined
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#search(payload => payload.uid === uid)
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#search(payload => payload.userCode === userCode)
  }

  async consume(id: string): Promise<void> {
    const payload = await this.find(id)
    if (payload) payload.consumed = Math.floor(Date.now() / 1_000)
  }

  async destroy(id: string): Promise<void> {
    MemoryAdapter.#entries.delete(this.#key(id))
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { payload }] of MemoryAdapter.#entries)
      if (payload.grantId === grantId) MemoryAdapter.#entries.delete(key)
  }

  #search(fits: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, { payload, until }] of MemoryAdapter.#entries)
      if (key.startsWith(`${this.#model} `) && until > Date.now() && fits(payload)) return payload
    return undefined
  }
}
