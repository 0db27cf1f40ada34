import { applicationStatus, emailCodePurpose, merchantStatus, paymentMode } from '@coffer/contract/codes.ts'
import { generateSecret, generateSync } from 'otplib'
import type { Deps } from '../deps.ts'
import { insertApplication, webhookSecretSealPlace } from '../domains/applications/store.ts'
import { sendEmailCode } from '../domains/identity/codes/send-code.ts'
import type { Proof } from '../domains/identity/proofs/check-proof.ts'
import { openVerifiedSession } from '../domains/identity/sessions/sessions.ts'
import { changeMerchant, changePerson, insertMerchant, lockMerchant } from '../domains/merchants/store.ts'
import { authenticatorSealPlace } from '../domains/people/store.ts'
import { appendAudit, recordOperatorAuditEntry } from '../kit/audit.ts'
import { type Queryable, tx } from '../kit/db.ts'
import { newAppid, newId, newMchid } from '../kit/ids.ts'
import { hashSecret, newSecret } from '../kit/secrets.ts'
import type { Visitor } from '../kit/visitor.ts'

/** A visitor with a browser. */
export const visitor: Visitor = {
  ip: '203.0.113.7',
  device: 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
  language: 'en',
}

export const password = 'Correct1Horse'

export interface TestMerchant {
  id: string
  mchid: string
  email: string
  token: string
  session: { id: string; personId: string; merchantId: string; tokenHash: Buffer; name: string; role: 'owner' }
}

/** Who opened a shop, as its member. */
export const ownerOf = (merchantId: string) => ({ merchantId, personId: merchantId })

/** Who opened a shop, as who reads an export. */
export const ownerReader = (merchantId: string) => ({ ...ownerOf(merchantId), role: 'owner' as const })

/** Columns of a shop and of its owner. */
type TestChanges = { factor_changed_at?: number } & Parameters<typeof changeMerchant>[2] &
  Parameters<typeof changePerson>[2]

const ofPerson: readonly string[] = [
  'email',
  'password_hash',
  'phone',
  'area_code',
  'phone_verified',
  'language',
  'authenticator_secret',
  'authenticator_step',
  'security_switch',
] satisfies (keyof Parameters<typeof changePerson>[2])[]

/** Changes columns of a shop and of its owner, whatever they may be changed by. */
export async function changeTestMerchant(c: Queryable, id: string, changes: TestChanges): Promise<void> {
  const entries = Object.entries(changes)
  const person = Object.fromEntries(entries.filter(([name]) => ofPerson.includes(name)))
  const shop = Object.fromEntries(entries.filter(([name]) => !ofPerson.includes(name)))
  if (Object.keys(person).length > 0) await changePerson(c, id, person)
  if (Object.keys(shop).length > 0) await changeMerchant(c, id, shop)
}

/** Creates an approved, signed-in merchant with a password. `given` overrides columns of its row. */
export async function testMerchant(deps: Deps, given: TestChanges = {}): Promise<TestMerchant> {
  const id = newId()
  const mchid = newMchid()
  const { email = `${id}@example.com`, ...changes } = given
  await insertMerchant(deps.pool, {
    id,
    mchid,
    email,
    name: 'Test merchant',
    password_hash: given.password_hash === null ? null : await deps.passwords.hash(password, id),
    language: 'en',
    created_at: deps.clock(),
  })
  await tx(deps.pool, async c => {
    const needed = [changes.phone && 'phone_bound', changes.security_switch && 'security_tightened'] as const
    const entry = { merchant_id: id, outcome: 'done', reason: '', factor: '', subject: '' } as const
    const seen = { ip: '', device: '', address: '', session: '', person_id: '', created_at: deps.clock() }
    await appendAudit(
      c,
      needed.flatMap(type => (type ? [{ ...entry, ...seen, type }] : [])),
    )
    await changeTestMerchant(c, id, { status: merchantStatus.approved, ...changes })
  })
  const token = await newSession(deps, id)
  return {
    id,
    mchid,
    email,
    token,
    session: { id: '', personId: id, merchantId: id, role: 'owner', tokenHash: hashSecret(token), name: '' },
  }
}

/** Signs a merchant in again; returns the token. */
export async function newSession(deps: Deps, merchantId: string): Promise<string> {
  const { token } = await tx(deps.pool, async (c, uow) =>
    openVerifiedSession(deps, uow, (await lockMerchant(c, merchantId))!, visitor),
  )
  return token
}

/** Creates an enabled application; returns it with its secret key and webhook secret. */
export async function testApplication(
  deps: Deps,
  merchantId: string,
  given: Partial<Parameters<typeof insertApplication>[1]> = {},
): Promise<{ appid: string; key: string; webhookSecret: string }> {
  const appid = newAppid()
  const key = `sk_live_${newSecret()}`
  const webhookSecret = `whsec_${Buffer.from(newSecret()).toString('base64')}`
  await insertApplication(deps.pool, {
    merchant_id: merchantId,
    appid,
    name: appid,
    status: applicationStatus.enabled,
    key_hash: hashSecret(key),
    key_masked: 'sk_li...',
    secret_by: merchantId,
    webhook_secret: deps.seal.seal(webhookSecret, webhookSecretSealPlace(appid)),
    logo: '',
    payment_logo: '',
    website: '',
    notify_url: '',
    payment_mode: paymentMode.contract,
    mixed_payment: true,
    tolerance_permille: 0,
    read_allowed: true,
    orders_allowed: true,
    refunds_allowed: given.payouts_allowed ?? false,
    payouts_allowed: false,
    marks_allowed: false,
    settings_allowed: false,
    members_allowed: false,
    // As applications from before scopes.
    endpoints_allowed: true,
    ip_whitelist_enabled: false,
    ip_whitelist: [],
    callbacks_muted: [],
    embed_origins: [],
    remark: '',
    created_at: deps.clock(),
    ...given,
  })
  return { appid, key, webhookSecret }
}

/** Binds an authenticator to the merchant; `code` returns its current code, `wrong` one that is none. */
export async function testAuthenticator(
  deps: Deps,
  merchantId: string,
): Promise<{ code: (later?: number) => string; wrong: () => string }> {
  const secret = generateSecret()
  const authenticator_secret = deps.seal.seal(secret, authenticatorSealPlace(merchantId))
  await tx(deps.pool, async c => {
    await recordOperatorAuditEntry(c, { type: 'sealed_again', subject: merchantId, now: deps.clock() })
    await changePerson(c, merchantId, { authenticator_secret })
  })
  const code = (later = 0) => generateSync({ secret, epoch: deps.clock() + later })
  return { code, wrong: () => wrongCode(code) }
}

/** Returns a code that an authenticator does not accept now: those of the steps before and after count, too. */
export function wrongCode(code: (later: number) => string): string {
  const near = [-30, 0, 30].map(code)
  return ['000000', '000001', '000002', '000003'].find(each => !near.includes(each))!
}

/** Mails a code and returns it as a proof, by default for changes of applications. */
export async function mailedProof(
  deps: Deps & { mails: { text: string }[] },
  merchantId: string,
  purpose: number = emailCodePurpose.application,
): Promise<Extract<Proof, { code: string }>> {
  await sendEmailCode(deps, { purpose, email: undefined, session: { merchantId, personId: merchantId }, from: visitor })
  return { method: 'email', code: codeIn(deps.mails.at(-1)) }
}

/** Returns the 6-digit code in a message. */
export function codeIn(sent: { text: string } | undefined): string {
  const [code] = /(?<!\d)\d{6}(?!\d)/.exec(sent?.text ?? '') ?? []
  if (!code) throw new Error('no code was sent')
  return code
}
