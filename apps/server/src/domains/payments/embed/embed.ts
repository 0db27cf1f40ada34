import { readFileSync } from 'node:fs'
import { isTradeNo } from '@coffer/contract/kit/texts.ts'
import type { FastifyInstance } from 'fastify'
import { first, type Queryable } from '../../../kit/db.ts'

/** The script by which a shop's page opens a checkout over itself. */
export const payScript = readFileSync(new URL('./pay.js', import.meta.url), 'utf8')

/** Serves a script that pages of any origin may load. */
export const serveScript = (app: FastifyInstance, path: string, script: string) =>
  app.get(path, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cross-origin-resource-policy', 'cross-origin').send(script),
  )

const ofPayment = first(
  'embed-origins-of-payment',
  `select a.embed_origins from payments p join applications a on a.merchant_id = p.merchant_id and a.appid = p.appid
   where p.trade_no = $1`,
)
const ofLink = first(
  'embed-origins-of-link',
  `select a.embed_origins from payment_links l join applications a on a.merchant_id = l.merchant_id and a.appid = l.appid
   where l.token = $1`,
)

/**
 * Returns the origin if the application of a payment or of a payment link lets its pages show the checkout in a frame,
 * else null. Origins are compared as texts: scheme, host and port.
 */
export async function findEmbedderOrigin(
  c: Queryable,
  of: { tradeNo: string } | { linkToken: string },
  origin: unknown,
): Promise<string | null> {
  if (typeof origin !== 'string' || origin === '') return null
  if ('tradeNo' in of && !isTradeNo(of.tradeNo)) return null
  const row = 'tradeNo' in of ? await ofPayment(c, of.tradeNo) : await ofLink(c, of.linkToken)
  return row?.embed_origins.includes(origin) ? origin : null
}
