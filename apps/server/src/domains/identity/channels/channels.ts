import type { Language } from '@coffer/contract'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { MessageChannelKind } from '@coffer/contract/notifications/channel-routes.ts'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { tx } from '../../../kit/db.ts'
import { newId } from '../../../kit/ids.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { hashSecret, newSecret, newWebhookSecret } from '../../../kit/secrets.ts'
import { throttle } from '../../../kit/throttle.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { findChatHookKind } from '../../../outside/chat-hooks.ts'
import { checkNotifyUrl } from '../../../outside/check-notify-url.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { requireActiveMerchant } from '../../merchants/active-merchant.ts'
import { lockAccount } from '../../merchants/store.ts'
import { adviseOnChannel } from '../../notifications/channel-advice.ts'
import {
  channelAddressAt,
  channelOfMember,
  channelSecretAt,
  channelsOfMember,
  countChannels,
  deleteChannel,
  insertChannel,
} from '../../notifications/channel-store.ts'
import { sendTestMessage } from '../../notifications/send-test-message.ts'
import { checkProof, type Proof } from '../proofs/check-proof.ts'

/** How long (s) the link to a chat works. */
const linkSeconds = 900

/** Lists what gets the person's messages of the shop. */
export const listMessageChannels = async (
  { pool, clock, telegram }: Deps,
  { personId, merchantId }: Session,
  language: Language,
) => ({
  list: (await channelsOfMember(pool, personId, merchantId, clock())).map(
    ({ created_at, last_at, kind, refused, ...row }) => ({
      ...row,
      kind: kind as MessageChannelKind,
      created_time: created_at,
      last_time: last_at,
      advice: adviseOnChannel(refused, language),
    }),
  ),
  telegram: telegram !== null,
})

interface NewChannel {
  kind: MessageChannelKind
  name: string
  address?: string
  secret?: string
  code?: { hash: Buffer; until: number }
}

/** Adds one, with a proof: whoever stole a session would otherwise go on reading after it. */
async function addChannel(
  deps: Deps,
  { by, proof, from }: { by: Session; proof: Proof; from: Visitor },
  { kind, name, address = '', secret = '', code }: NewChannel,
): Promise<string> {
  const { personId, merchantId } = by
  const { pool, seal, clock } = deps
  const consume = await checkProof(deps, { by, proof, action: 'push-device' })
  const id = newId()
  await tx(pool, async (c, uow) => {
    // Locked, so that two that are added at once count each other.
    requireActiveMerchant(await lockAccount(c, merchantId, personId))
    const { count } = (await countChannels(c, personId, merchantId))!
    if (count >= limits.messageChannelsMax) throw new Refusal('message_channels')
    await consume(c)
    const sealedAddress = address && seal.seal(address, channelAddressAt(id))
    const sealedSecret = secret && seal.seal(secret, channelSecretAt(id))
    const { hash = null, until = 0 } = code ?? {}
    const { language } = from
    const values = [kind, name, sealedAddress, sealedSecret, hash, until, language, clock()] as const
    await insertChannel(c, id, personId, merchantId, ...values)
    recordEvent(deps, uow, { merchantId, personId, type: 'channel_added', from, params: { name } })
  })
  return id
}

/**
 * Adds the group of a chat, or a system. Throws Refusal('message_channels') when there are too many, and the refusals
 * of URLs that callbacks have.
 */
export async function addMessageChannel(
  deps: Deps,
  {
    name,
    url,
    secret,
    ...input
  }: { by: Session; name: string; url: string; secret: string; proof: Proof; from: Visitor },
): Promise<{ id: string; kind: MessageChannelKind; secret: string }> {
  const chat = findChatHookKind(url)
  if (chat)
    return { id: await addChannel(deps, input, { kind: chat, name, address: url, secret }), kind: chat, secret: '' }
  await checkNotifyUrl(deps, url, 'url')
  const made = newWebhookSecret()
  const id = await addChannel(deps, input, { kind: 'hook', name, address: url, secret: made })
  return { id, kind: 'hook', secret: made }
}

/** Makes the link that opens a chat with the bot. Throws Refusal('operation_failed') without a bot. */
export async function addTelegramChannel(
  deps: Deps,
  input: { by: Session; proof: Proof; from: Visitor },
): Promise<{ id: string; link: string; expire_time: number }> {
  if (!deps.telegram) throw new Refusal('operation_failed')
  const bot = await deps.telegram.name().catch(error => {
    deps.log.error({ err: error }, 'bot of Telegram cannot be used')
    throw new Refusal('operation_failed')
  })
  const secret = newSecret()
  const until = deps.clock() + linkSeconds
  const id = await addChannel(deps, input, {
    kind: 'telegram',
    name: 'Telegram',
    code: { hash: hashSecret(secret), until },
  })
  return { id, link: `https://t.me/${bot}?start=${secret}`, expire_time: until }
}

/** Each test calls an external server. */
const testLimit = { max: 10, seconds: 60 }

/** Sends a test message, once. */
export async function testMessageChannel(
  deps: Deps,
  { personId, merchantId }: Session,
  id: string,
  language: Language,
): Promise<{ ok: boolean; error: string }> {
  const channel = await channelOfMember(deps.pool, id, personId, merchantId)
  if (!channel?.address) throw new Refusal('operation_failed', { field: 'id' })
  await throttle(deps, `message test ${personId}`, testLimit)
  const outcome = await sendTestMessage(deps, channel)
  if (outcome.result === 'accepted') return { ok: true, error: '' }
  const advice = outcome.result === 'refused' ? adviseOnChannel(outcome.setup ?? 'gone', language) : ''
  return { ok: false, error: advice || outcome.error }
}

/** Removes one of the person's; removing it again does nothing. */
export const removeMessageChannel = (deps: Deps, { personId, merchantId }: Session, id: string, from: Visitor) =>
  tx(deps.pool, async (c, uow) => {
    const removed = await deleteChannel(c, id, personId, merchantId)
    if (!removed) return
    recordEvent(deps, uow, { merchantId, personId, type: 'channel_removed', from, params: { name: removed.name } })
  })
