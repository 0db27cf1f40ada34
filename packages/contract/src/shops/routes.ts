import { z } from 'zod'
import { keyOverlapSeconds } from '../codes/applications.ts'
import { shopProtocols } from '../codes/shops.ts'
import { integratingRoles, integrationReadingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { amount, currencyCode, emptyObject, id, optionalLine, proof, unixSeconds, urlOrEmpty } from '../kit/schemas.ts'

const callbackMethods = ['GET', 'POST'] as const

const refusal = z.object({
  code: z.number().int().describe('The code of the error'),
  text: z.string().describe('What the shop was answered, in the language of the reader'),
  field: z.string().describe('The field of the protocol; empty without'),
  count: z.number().int(),
  last_time: unixSeconds,
})

const connection = z.object({
  id: z.string().describe('What the shop calls the merchant id, store id or pid'),
  appid: z.string(),
  protocol: z.enum(shopProtocols),
  currency: z.string().describe('The currency of amounts that come without one'),
  notify_url: z.string().describe('Where callbacks go when an order names no URL'),
  callback_method: z.enum(callbackMethods).describe('How callbacks of EPay are sent'),
  key: z.string().describe('The key, masked'),
  key_used: z.boolean().describe('Whether the shop has used this key'),
  url: z.string().describe('The URL to enter in the shop'),
  previous_until: unixSeconds.describe('When the replaced key ends; 0 if none is valid'),
  platform_public_key: z.string().describe('With which the shop verifies RSA signatures, in base64; empty without'),
  created_time: unixSeconds,
  refusals: z
    .array(refusal)
    .describe('What orders and calls of the shop were refused for in the last 30 days, newest first'),
})

const newKey = z.object({
  id: z.string(),
  url: z.string(),
  key: z.string().describe('Shown only once'),
  private_key: z.string().describe('The RSA key of the shop in base64, shown only once; empty without'),
  platform_public_key: z.string(),
})

export const shopRoutes = defineRoutes({
  'GET /api/v1/user/shop/list': {
    who: integrationReadingRoles,
    summary:
      'List the shops that are connected to an application by a protocol of their own, newest first, with what they were refused',
    query: z.strictObject({ appid: id }),
    data: z.object({ list: z.array(connection) }),
  },
  'POST /api/v1/user/shop': {
    who: integratingRoles,
    summary: 'Connect a shop to an application. Its key creates and reads orders, nothing else; needs a fresh proof',
    body: z.strictObject({
      appid: id,
      protocol: z.enum(shopProtocols),
      currency: currencyCode.optional(),
      notify_url: urlOrEmpty.default(''),
      callback_method: z.enum(callbackMethods).default('GET'),
      permissions: z.array(z.string().max(80)).max(40).default([]).describe('What a plugin of BTCPay asks for'),
      proof: proof.optional(),
    }),
    data: newKey,
  },
  'PUT /api/v1/user/shop/key': {
    who: integratingRoles,
    summary: 'Replace the key of a connected shop; needs a fresh proof. The old one stays valid for `keep_seconds`',
    body: z.strictObject({
      id,
      keep_seconds: z.union(keyOverlapSeconds.map(seconds => z.literal(seconds))).optional(),
      proof: proof.optional(),
    }),
    data: newKey,
  },
  'POST /api/v1/user/shop/test': {
    who: integratingRoles,
    summary:
      'Create an order as the shop would, to see its callback arrive; in the sandbox only. Without an amount 0.01, or 1 or 1,000 where that is too little',
    body: z.strictObject({
      id,
      notify_url: urlOrEmpty.default(''),
      amount: amount.optional().describe('In the currency of the connection'),
      title: optionalLine(60).default('Test').describe('What the shop calls the order'),
    }),
    data: z.object({ trade_no: z.string(), pay_url: z.string() }),
  },
  'DELETE /api/v1/user/shop': {
    who: integratingRoles,
    summary: 'Disconnect a shop: its key ends now, and payments of its orders are still reported; needs a fresh proof',
    body: z.strictObject({ id, proof: proof.optional() }),
    data: emptyObject,
  },
})
