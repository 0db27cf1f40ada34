import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { listShopPayments } from '../../payments/shop-order.ts'
import { bodyText } from '../form-fields.ts'
import { parseJsonBody } from '../json-fields.ts'
import type { ServeShopRequest, ShopRequestHandler } from '../serve.ts'
import { getRequestShop } from '../shop-key.ts'
import { findShopPayment } from '../shop-payment.ts'
import type { ShopCaller } from '../use-connection.ts'
import { createCharge, newChargeSchema, presentCharge } from './charge.ts'

const page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  starting_after: z.string().max(100).default(''),
})

/** Mounts the calls of Coinbase Commerce about charges: create, list and read. */
export function mountCoinbase(scope: FastifyInstance, deps: Deps, serve: ServeShopRequest): void {
  const handle =
    (
      work: (caller: ShopCaller, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    ): ShopRequestHandler =>
    async (request, reply) => {
      const caller = getRequestShop(request)
      return serve(caller, () => work(caller, request, reply))
    }
  for (const path of ['/charges', '/charges/']) {
    scope.post(
      path,
      handle(async (caller, request, reply) => {
        const made = await createCharge(deps, caller, newChargeSchema.parse(fieldsOf(request)))
        return reply.status(201).send({ data: presentCharge(made) })
      }),
    )
    scope.get(
      path,
      handle((caller, request) => listCharges(deps, caller, page.parse(request.query))),
    )
  }
  // There are none; plugins list them to see whether their key is right.
  scope.get(
    '/checkouts',
    handle(async () => ({ data: [], pagination: { order: 'desc', limit: 25, yielded: 0 } })),
  )
  const one = async (caller: ShopCaller, id: string) => {
    const found = await findShopPayment(deps, caller, { tradeNo: id })
    if (!found) throw new Refusal('transaction_not_exist')
    return found
  }
  scope.get(
    '/charges/:id',
    handle(async (caller, request) => ({
      data: presentCharge(await one(caller, (request.params as { id: string }).id)),
    })),
  )

  async function listCharges(deps: Deps, caller: ShopCaller, { limit, starting_after }: z.output<typeof page>) {
    const { merchant_id: merchantId, appid, id: connection } = caller.connection
    const until = starting_after ? (await one(caller, starting_after)).order.created_time : deps.clock()
    const of = { merchantId, appid, connection }
    // Charges of the same second come first, among them the one that was last on the page before.
    const rows = await listShopPayments(deps.pool, deps.config.publicUrl, of, {
      since: 0,
      until,
      offset: 0,
      limit: 201,
    })
    const listed = rows.slice(rows.findIndex(row => row.order.trade_no === starting_after) + 1)
    const data = listed.slice(0, limit).map(presentCharge)
    const next = listed.length > limit ? data.at(-1)!.id : null
    return {
      data,
      pagination: { order: 'desc', limit, starting_after: next, ending_before: null, yielded: data.length },
    }
  }
}

/** Reads a charge as JSON or as a form, whose names are such as `local_price[amount]`, each once. */
function fieldsOf(request: FastifyRequest): unknown {
  if (!/^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '')) return parseJsonBody(request)
  const fields: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URLSearchParams(bodyText(request))) {
    const [, first = '', second] = /^(\w{1,60})(?:\[(\w{1,60})\])?$/.exec(name) ?? []
    if (second !== undefined) fields[first] ??= Object.create(null)
    const within = (second === undefined ? fields : fields[first]) as Record<string, unknown>
    const last = second ?? first
    if (first === '' || typeof within !== 'object' || last in within)
      throw new Refusal('parameter_error', { field: name.slice(0, 40) })
    within[last] = value
  }
  return fields
}
