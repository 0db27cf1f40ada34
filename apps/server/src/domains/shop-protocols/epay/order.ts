import { isUrl } from '@coffer/contract/kit/validators.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { createFieldRefusal } from '../../../kit/refusal.ts'
import type { Order } from '../../payments/present-order.ts'
import type { ShopPayment } from '../../payments/shop-order.ts'
import { refuseHiddenFields, type TextFields, toCallbackTitle, toDisplayTitle } from '../fields.ts'
import { createShopPayment, returnUrl } from '../shop-payment.ts'
import {
  createSignatureRefusal,
  findConnection,
  ourPrivateKey,
  type ShopCaller,
  unsealSigningKey,
} from '../use-connection.ts'
import { type EpaySigning, signEpay, verifyMd5, verifyRsa } from './sign.ts'

/** Who signed a request, the fields that were signed, and how. */
export interface EpayCaller extends ShopCaller {
  fields: TextFields
  signing: EpaySigning
}

/** Who gets an answer: `signing` null sent the key itself. */
export interface EpayRecipient extends ShopCaller {
  signing: EpaySigning | null
}

/** Seconds by which the time of a request with an RSA signature may differ from ours. */
const clockSkew = 300

/** Fields of an order that sort before `notify_url`. */
const beforeTheRest = ['money']

/** How long an order can be paid, in seconds: panels keep theirs open for two hours. */
const expiresIn = 7_200

/** Finds who signed the fields. Throws Refusal('bad_key') for an unknown id as for a wrong signature. */
export async function authenticateEpayCaller(
  deps: Deps,
  fields: TextFields,
  request: FastifyRequest,
): Promise<EpayCaller> {
  const found = await findConnection(deps, { id: fields.pid ?? '', protocol: ['epay'], field: 'sign', request })
  const type = (fields.sign_type || 'MD5').toUpperCase()
  if (type === 'RSA') {
    if (!verifyRsa(fields, found.publicKeys)) throw createSignatureRefusal('sign')
    refuseHiddenFields(fields, beforeTheRest)
    // Both keys are pasted together: who signs with the new RSA key has the new key too.
    await found.checkUse(verifyRsa(fields, found.publicKeys.slice(0, 1)) ? found.keys[0] : undefined)
    if (!(Math.abs(Number(fields.timestamp || Number.NaN) - deps.clock()) <= clockSkew))
      throw createFieldRefusal(
        'timestamp',
        `the time in Unix seconds, within ${clockSkew} s`,
        `Unix 秒，误差 ${clockSkew} 秒内`,
      )
    return { ...found, fields, signing: 'rsa' }
  }
  if (type !== 'MD5') throw createFieldRefusal('sign_type', 'MD5 or RSA', 'MD5 或 RSA')
  const signed = verifyMd5(fields, found.keys)
  if (!signed) throw createSignatureRefusal('sign')
  refuseHiddenFields(signed.fields, beforeTheRest)
  await found.checkUse(signed.key)
  return { ...found, fields: signed.fields, signing: signed.signing }
}

/** Creates the order that the fields describe. Its callback repeats them as they were received. */
export async function createEpayOrder(deps: Deps, caller: EpayCaller): Promise<Order> {
  const { connection, fields, signing } = caller
  const { out_trade_no = '', notify_url = '', return_url = '', name = '', money = '', type = '', param = '' } = fields
  if (notify_url === '') throw createFieldRefusal('notify_url', 'required', '必填')
  if (!/^[\w.-]{0,32}$/.test(type))
    throw createFieldRefusal('type', 'at most 32 letters and digits', '最多 32 位字母或数字')
  if (param.length > 500) throw createFieldRefusal('param', 'at most 500 characters', '最多 500 个字符')
  if (return_url !== '' && !isUrl(return_url)) throw createFieldRefusal('return_url', 'a URL', '须为网址')
  const { order } = await createShopPayment(deps, caller, {
    requested: { amount: money, currency: connection.currency },
    order: {
      out_trade_no,
      subject: toDisplayTitle(name),
      notify_url,
      return_url: return_url && returnUrl(deps, connection.id, out_trade_no, return_url),
      auto_redirect: return_url !== '',
      expires_in: expiresIn,
    },
    form: 'epay',
    fields: { out_trade_no, name: toCallbackTitle(name), money, return_url, type, param, signing },
    renamed: { amount: 'money', subject: 'name' },
  })
  return order
}

/** The fields that say that an order is paid, signed: of the callback, and of the way back to the shop. */
export function buildPaidFields(
  deps: Deps,
  connection: ShopCaller['connection'],
  { order, shop }: ShopPayment,
): TextFields {
  const { out_trade_no = '', name = '', money = '', type = '', param = '', signing } = shop.fields
  const fields: TextFields = {
    pid: connection.id,
    trade_no: order.trade_no,
    out_trade_no,
    ...(type && { type }),
    ...(name && { name }),
    money,
    trade_status: 'TRADE_SUCCESS',
    ...(param && { param }),
  }
  return signed(deps, connection, fields, signing as EpaySigning)
}

/**
 * Adds our signature to an answer of the second version: by RSA, with the time that it covers. Who signed by MD5 gets
 * none, as it would also be right in a callback.
 */
export const signEpayAnswer = (deps: Deps, { connection, signing }: EpayRecipient, fields: TextFields): TextFields =>
  signing === 'rsa' ? signed(deps, connection, fields, signing) : fields

/** Adds our signature, and for RSA the time that it covers. */
function signed(
  deps: Deps,
  connection: ShopCaller['connection'],
  fields: TextFields,
  signing: EpaySigning,
): TextFields {
  if (signing !== 'rsa')
    return { ...fields, sign: signEpay(fields, signing, unsealSigningKey(deps, connection)), sign_type: 'MD5' }
  const timed = { ...fields, timestamp: String(deps.clock()) }
  return { ...timed, sign: signEpay(timed, 'rsa', ourPrivateKey(deps, connection)), sign_type: 'RSA' }
}
