import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { answerAs, type Serve } from '../answer-as.ts'
import { formFields } from '../form-fields.ts'
import { jsonFields } from '../json-fields.ts'
import { createEpusdtOrder, type EpusdtDialect, epusdtCaller, presentEpusdt } from './order.ts'

/**
 * Mounts create-transaction of epusdt, BEpusdt and GMPay. The first two send no id: it stands in the URL that the shop is given, before
 * the path.
 */
export function mountEpusdt(scope: FastifyInstance, deps: Deps, serve: Serve): void {
  const errors = answerAs((reply, message, status) =>
    reply.status(status).send({ status_code: status, message, data: null, request_id: reply.request.id }),
  )
  const create = (dialect: EpusdtDialect) => async (request: FastifyRequest) => {
    const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/)/i.test(request.headers['content-type'] ?? '')
    const fields = isForm ? await formFields(request) : jsonFields(request)
    const { shop } = request.params as { shop?: string }
    const caller = await epusdtCaller(deps, shop ?? fields.pid ?? '', fields)
    const order = await serve(caller, () => createEpusdtOrder(deps, caller, fields, dialect))
    const data = presentEpusdt(order, fields, dialect)
    return { status_code: 200, message: 'success', data, request_id: request.id }
  }
  for (const start of ['', '/shop/:shop']) {
    scope.post(`${start}/api/v1/order/create-transaction`, errors(create('epusdt')))
    scope.post(`${start}/payments/gmpay/v1/order/create-transaction`, errors(create('gmpay')))
  }
}
